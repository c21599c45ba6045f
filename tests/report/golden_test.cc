// The report as people and programs see it, compared with files in tests/data/report. After a
// wanted change: TARE_UPDATE_GOLDEN=1 build/tests/report_test, then read the difference.

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/files.h"
#include "base/message_json.h"
#include "coordinator/report/page.h"
#include "coordinator/report/report.h"
#include "gtest/gtest.h"
#include "tests/report/sample_reports.h"

namespace tare::coordinator {
namespace {

constexpr int kColumns = 80;

struct Sample {
  const char* name;
  v1::Report (*make)();
};

class Golden : public testing::TestWithParam<Sample> {};

void ExpectGolden(const std::string& file, const std::string& actual) {
  const char* source = std::getenv("TARE_SOURCE");
  ASSERT_NE(source, nullptr) << "TARE_SOURCE must name the source tree; ctest sets it";
  const std::string path = absl::StrCat(source, "/tests/data/report/", file);
  if (std::getenv("TARE_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(path, actual).ok());
  }
  const absl::StatusOr<std::string> expected = ReadFile(path);
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_EQ(actual, *expected) << "differs from " << path;
}

TEST_P(Golden, TerminalTextIsAsInItsFile) {
  ExpectGolden(absl::StrCat(GetParam().name, ".txt"), FormatTerminal(GetParam().make(), {}));
}

TEST_P(Golden, JsonIsAsInItsFile) {
  ExpectGolden(absl::StrCat(GetParam().name, ".json"), FormatJson(GetParam().make(), 2) + "\n");
}

TEST_P(Golden, NoLineIsWiderThanTheTerminal) {
  for (const int columns : {kColumns, 60, 132}) {
    const std::string text = FormatTerminal(GetParam().make(), {.columns = columns});
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      EXPECT_LE(WidthOf(line), columns) << line;
    }
  }
}

TEST_P(Golden, ColorAddsNothingButEscapeSequences) {
  std::string text = FormatTerminal(GetParam().make(), {.has_color = true});
  for (size_t at; (at = text.find('\x1b')) != std::string::npos;) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  EXPECT_EQ(text, FormatTerminal(GetParam().make(), {}));
}

INSTANTIATE_TEST_SUITE_P(Reports, Golden,
                         testing::Values(Sample{"slower", SlowerReport},
                                         Sample{"order-confounded", ConfoundedReport},
                                         Sample{"provisional", ProvisionalReport},
                                         Sample{"gate-regression", GateReport},
                                         Sample{"round-trips", RoundTripsReport},
                                         Sample{"rounds", RoundsReport},
                                         Sample{"nearly-empty", NearlyEmptyReport}),
                         [](const testing::TestParamInfo<Sample>& sample) {
                           std::string name = sample.param.name;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace tare::coordinator
