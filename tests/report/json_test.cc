#include "nlohmann/json.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/message_json.h"
#include "coordinator/report/report.h"
#include "gtest/gtest.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/report.pb.h"
#include "tests/report/sample_reports.h"

namespace tare::coordinator {
namespace {

TEST(Json, WritesAbsentFieldsAsNullAndEmptyListsAsBrackets) {
  EXPECT_EQ(FormatJson(v1::Ratio(), -1), R"({"value":null,"low":null,"high":null})");
  EXPECT_EQ(FormatJson(v1::PlacementResult(), -1),
            R"({"status":null,"explained_share":null,"groups":[],"text":""})");
}

TEST(Json, WritesEnumsAsWordsWithoutTheirPrefix) {
  v1::IntegrityCheck check;
  check.set_status(v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(FormatJson(check, -1), R"({"name":"","status":"not_run","text":""})");

  v1::Report report;
  report.set_verdict(v1::VERDICT_REGRESSION);
  report.set_pairing(v1::PAIRING_IN_PROCESS);
  const std::string json = FormatJson(report, -1);
  EXPECT_NE(json.find(R"("verdict":"regression")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("pairing":"in_process")"), std::string::npos) << json;
}

TEST(Json, WritesSixtyFourBitIntegersAsNumbers) {
  v1::Plan plan;
  plan.set_seed(std::numeric_limits<uint64_t>::max());
  EXPECT_NE(FormatJson(plan, -1).find(R"("seed":18446744073709551615,)"), std::string::npos);
}

TEST(Json, WritesDoublesThatReadBackToTheSameValue) {
  v1::Ratio ratio;
  for (const double value : {0.1, 1.0 / 3, 1e-300, 331200.0, -7.6}) {
    ratio.set_value(value);
    const auto json = nlohmann::json::parse(FormatJson(ratio, -1));
    EXPECT_EQ(json["value"].get<double>(), value);
  }
  ratio.set_value(0.1);
  EXPECT_EQ(FormatJson(ratio, -1), R"({"value":0.1,"low":null,"high":null})");
}

TEST(Json, WritesNumbersThatJsonDoesNotHaveAsNull) {
  v1::Ratio ratio;
  ratio.set_value(std::nan(""));
  ratio.set_low(-std::numeric_limits<double>::infinity());
  ratio.set_high(std::numeric_limits<double>::infinity());
  EXPECT_EQ(FormatJson(ratio, -1), R"({"value":null,"low":null,"high":null})");
}

TEST(Json, EscapesTextAndReplacesWhatIsNotUtf8) {
  v1::Setting setting;
  setting.set_name("a\"b\n");
  setting.set_value("ends in \xff");
  EXPECT_EQ(FormatJson(setting, -1), "{\"name\":\"a\\\"b\\n\",\"value\":\"ends in \xEF\xBF\xBD\"}");
}

TEST(Json, ReportHasTheKeysThatProgramsRelyOn) {
  const auto json = nlohmann::json::parse(FormatJson(SlowerReport(), 2));
  for (const char* key : {"purpose", "verdict", "refusals", "comparisons"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  const auto& comparison = json["comparisons"][0];
  const std::vector<std::string> pointers = {"/baseline",
                                             "/candidate",
                                             "/metric",
                                             "/cell",
                                             "/verdict",
                                             "/flags",
                                             "/refusals",
                                             "/estimate/value_ns",
                                             "/estimate/low_ns",
                                             "/estimate/high_ns",
                                             "/estimate/confidence",
                                             "/ratio/value",
                                             "/ratio/low",
                                             "/ratio/high",
                                             "/processes",
                                             "/sets",
                                             "/positive_share",
                                             "/order_effect",
                                             "/carry_over",
                                             "/smallest_visible/value_ns",
                                             "/smallest_visible/relative",
                                             "/smallest_visible/power",
                                             "/control",
                                             "/known_delay",
                                             "/process_estimates_ns",
                                             "/placement",
                                             "/steps"};
  for (const std::string& pointer : pointers) {
    EXPECT_TRUE(comparison.contains(nlohmann::json::json_pointer(pointer))) << pointer;
  }
  const auto refused = nlohmann::json::parse(FormatJson(ConfoundedReport(), 2));
  for (const char* key : {"code", "measured", "limit", "advice"}) {
    EXPECT_TRUE(refused["comparisons"][0]["refusals"][0].contains(key)) << key;
  }
}

}  // namespace
}  // namespace tare::coordinator
