#include "coordinator/report/refusals.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/files.h"
#include "base/status.h"
#include "coordinator/report/page.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Refusals, AreSortedAndSayAllOfMeaningRuleAndAction) {
  for (const auto& entries : {Refusals(), Flags(), Verdicts()}) {
    EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(),
                               [](const auto& a, const auto& b) { return a.code < b.code; }));
    for (const Explanation& entry : entries) {
      for (const absl::string_view text : {entry.title, entry.meaning, entry.rule, entry.action}) {
        EXPECT_FALSE(text.empty()) << entry.code;
      }
    }
  }
}

TEST(Refusals, EveryVerdictIsExplained) {
  for (int number = 1; number < v1::Verdict_ARRAYSIZE; ++number) {
    const std::string name = v1::Verdict_Name(number);
    EXPECT_TRUE(ExplainCode(name.substr(std::string("VERDICT_").size())).ok()) << name;
  }
}

TEST(Refusals, ExplainsACodeWithinEightyColumns) {
  const absl::StatusOr<std::string> text = ExplainCode("order-confounded");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, StartsWith("order-confounded (refusal): the arms cannot be told from their"));
  EXPECT_THAT(*text, HasSubstr("  what to do   Use 'order: random' and enough sets.\n"));
  for (const absl::string_view line : absl::StrSplit(*text, '\n')) {
    EXPECT_LE(WidthOf(line), 80) << line;
  }
}

TEST(Refusals, SuggestsTheNearCodeForAWordThatIsNone) {
  const absl::Status status = ExplainCode("order-confounding").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  const ErrorParts parts = PartsOf(status);
  EXPECT_EQ(parts.what, "'order-confounding' is no code of a report");
  EXPECT_THAT(parts.detail, StartsWith("codes are carry-over, clock-too-coarse, "));
  EXPECT_EQ(parts.action, "tare explain order-confounded");
  EXPECT_EQ(PartsOf(ExplainCode("weather").status()).action, "");
}

TEST(Refusals, DocumentIsTheOneInDocs) {
  const char* source = std::getenv("TARE_SOURCE");
  ASSERT_NE(source, nullptr) << "TARE_SOURCE must name the source tree; ctest sets it";
  const std::string path = absl::StrCat(source, "/docs/refusals.md");
  if (std::getenv("TARE_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(path, RefusalsDocument()).ok());
  }
  const absl::StatusOr<std::string> document = ReadFile(path);
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(*document, RefusalsDocument()) << "differs from " << path;
}

}  // namespace
}  // namespace tare::coordinator
