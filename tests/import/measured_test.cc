// Measured files with known answers, through import and analysis.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/import/import.h"
#include "tests/analysis/report_matchers.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

RunData Measured(const std::string& file, const ImportOptions& options = {}) {
  const auto text = ReadFile(absl::StrCat(getenv("TARE_SOURCE"), "/tests/data/", file));
  EXPECT_TRUE(text.ok()) << text.status();
  absl::StatusOr<RunData> data = Import({{file, text.value_or("")}}, options);
  EXPECT_TRUE(data.ok()) << data.status();
  return data.ok() ? *std::move(data) : RunData();
}

TEST(MeasuredPairs, HaveTheirKnownExitCodes) {
  const struct {
    const char* name;
    int exit_code;
    bool has_carry_over;
  } kCases[] = {{"identical_random", 2, false},  {"identical_fixed_order", 3, false},
                {"identical_blocked", 3, false}, {"middle_25us_random", 1, false},
                {"end_500us_random", 1, true},   {"end_500us_washout", 1, false}};
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.name);
    const v1::Report report = ReportOf(Measured(absl::StrCat("pairs_", test.name, ".csv")));
    EXPECT_EQ(report.exit_code(), test.exit_code);
    ASSERT_EQ(report.comparisons_size(), 1);
    EXPECT_EQ(testing::Value(FlagsOf(report.comparisons(0)), Contains("carry-over")),
              test.has_carry_over);
    if (test.exit_code == 3) {
      EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), Contains("order-confounded"));
    }
  }
}

TEST(MeasuredPairs, DoNotRunWhatTheFileHasNoEvidenceOf) {
  const v1::Report report = ReportOf(Measured("pairs_middle_25us_random.csv"));
  for (const char* code : {"no-work", "different-work", "config-not-applied", "identity-missing",
                           "not-idle", "throttled"}) {
    EXPECT_EQ(IntegrityOf(report, code).status(), v1::CHECK_STATUS_NOT_RUN) << code;
  }
  EXPECT_EQ(IntegrityOf(report, "incomplete").status(), v1::CHECK_STATUS_PASSED);
  EXPECT_THAT(report.refusals(), IsEmpty());
  EXPECT_THAT(report.machine_checks(), IsEmpty());
  EXPECT_THAT(report.machines(), IsEmpty());
  EXPECT_THAT(report.programs(), IsEmpty());
}

// +12.85 % [4.63, 21.72], L99 +2.69 %, U95 +19.99 %; the control is not shown to differ.
TEST(MeasuredRounds, AreARegressionByDefaultAndNotKnownWhenStrict) {
  RunData data = Measured("loan_rounds.jsonl", {.skip = 100});
  data.experiment.add_metrics(v1::METRIC_P95);
  data.experiment.mutable_threshold()->set_relative_ppm(50'000);
  v1::Report report = ReportOf(data);
  EXPECT_EQ(report.exit_code(), 1);
  ASSERT_EQ(report.comparisons_size(), 1);
  const v1::ReportComparison& comparison = report.comparisons(0);
  EXPECT_NEAR(comparison.ratio().value(), 1.1285, 5e-5);
  EXPECT_NEAR(comparison.ratio().low(), 1.0463, 5e-5);
  EXPECT_NEAR(comparison.ratio().high(), 1.2172, 5e-5);
  EXPECT_NEAR(comparison.gate().low(), 0.0269, 5e-5);
  EXPECT_NEAR(comparison.gate().high(), 0.1999, 5e-5);
  EXPECT_EQ(comparison.control().status(), v1::CHECK_STATUS_PASSED);
  data.experiment.mutable_threshold()->set_strict(v1::SWITCH_ON);
  report = ReportOf(data);
  EXPECT_EQ(report.exit_code(), 2);
}

TEST(MeasuredRounds, WarnThatTheirOrderWasNotRecorded) {
  const v1::Report report = ReportOf(Measured("loan_rounds.jsonl", {.skip = 100}));
  EXPECT_THAT(report.warnings(), Contains(HasSubstr("order of the arms within the rounds")));
  EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), Not(Contains("order-confounded")));
}

TEST(MeasuredRounds, WarnOfFailedOperations) {
  RunData data = Measured("loan_rounds.jsonl", {.skip = 100});
  EXPECT_THAT(ReportOf(data).warnings(), Not(Contains(HasSubstr("failed"))));
  v1::ArmEvidence* evidence = data.trials[4].record.mutable_processes(0)->mutable_arms(0);
  evidence->mutable_counters(0)->set_value(3);
  EXPECT_THAT(ReportOf(data).warnings(),
              Contains("3 operations in 1 trial failed: their times are not among the samples"));
}

TEST(MeasuredRounds, WithAMissingProcessAreIncomplete) {
  RunData data = Measured("loan_rounds.jsonl", {.skip = 100});
  data.trials.erase(data.trials.begin() + 5);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(CodesOf(report.refusals()), Contains("incomplete"));
}

}  // namespace
}  // namespace tare::coordinator
