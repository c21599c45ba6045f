#include "coordinator/store/listing.h"

#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

const std::vector<RunSummary>& Runs() {
  static const auto* runs = new std::vector<RunSummary>{
      {"20261201-090000-ab12", "größe", 1'796'115'600'000'000'000, RunState::kRunning, 30, 4, 6080},
      {"20261130-210836-k3f9", "preview-cost", 1'796'072'916'000'000'000, RunState::kComplete, 30,
       30, 45'600}};
  return *runs;
}

TEST(Listing, PrintsAnAlignedTable) {
  EXPECT_EQ(FormatRunTable(Runs()),
            "run                   experiment    started (UTC)        state     trials  samples\n"
            "20261201-090000-ab12  größe         2026-12-01 09:00:00  running     4/30     6080\n"
            "20261130-210836-k3f9  preview-cost  2026-11-30 21:08:36  complete   30/30    45600\n");
}

TEST(Listing, PrintsJsonWithTheFieldsOfTheSummary) {
  EXPECT_EQ(FormatRunJson(Runs()),
            "{\"runs\":[{\"run\":\"20261201-090000-ab12\",\"name\":\"größe\","
            "\"created_unix_ns\":1796115600000000000,\"state\":\"running\",\"trials_planned\":30,"
            "\"trials_counted\":4,\"samples_count\":6080},"
            "{\"run\":\"20261130-210836-k3f9\",\"name\":\"preview-cost\","
            "\"created_unix_ns\":1796072916000000000,\"state\":\"complete\",\"trials_planned\":30,"
            "\"trials_counted\":30,\"samples_count\":45600}]}\n");
  EXPECT_EQ(FormatRunJson({}), "{\"runs\":[]}\n");
}

}  // namespace
}  // namespace tare::coordinator
