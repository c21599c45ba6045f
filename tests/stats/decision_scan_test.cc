// The scan against the published study's own tables for tests/data/loan_rounds.jsonl: ten real
// rounds of a baseline, control and candidate server, each request's latency in ms.

#include "stats/decision_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/random.h"
#include "stats/article.h"
#include "stats/gate.h"
#include "stats/quantile.h"

namespace tare::stats {
namespace {

using Rounds = std::map<std::string, std::vector<std::vector<double>>>;

const Rounds& LoanRounds() {
  static const Rounds* const rounds = [] {
    auto* read = new Rounds;
    std::ifstream file(absl::StrCat(getenv("TARE_SOURCE"), "/tests/data/loan_rounds.jsonl"));
    for (std::string line; std::getline(file, line);) {
      const nlohmann::json round = nlohmann::json::parse(line);
      (*read)[round["arm"]].push_back(round["ms"].get<std::vector<double>>());
    }
    return read;
  }();
  return *rounds;
}

std::vector<double> P95s(const std::string& arm, size_t skip) {
  std::vector<double> values;
  for (const std::vector<double>& ms : LoanRounds().at(arm)) {
    values.push_back(Quantile(std::span(ms).subspan(skip), 0.95).value());
  }
  return values;
}

ScanWindow WindowAfter(size_t skip) {
  return {P95s("baseline", skip), P95s("control", skip), P95s("candidate", skip)};
}

TEST(DecisionScan, ReproducesThePublishedTable) {
  ArticleGenerator generator(kArticleSeed);
  const auto uniform = [&] { return generator.Uniform(); };
  struct Row {
    size_t rounds;
    size_t skip;
    std::string cells[4];  // thresholds 2, 5, 10, 20 %
  };
  const Row kTable[] = {{1, 100, {"145/ 37", "148/ 35", "147/ 35", "  0/401"}},
                        {2, 100, {"149/ 57", "142/ 71", "101/ 69", "  0/387"}},
                        {3, 100, {"189/ 40", "136/ 48", " 65/ 68", "  0/364"}},
                        {5, 100, {"199/ 18", "129/ 42", " 14/ 57", "  0/378"}},
                        {8, 100, {"244/  0", "120/  0", "  0/  0", "  0/408"}},
                        {1, 0, {"196/ 98", "134/177", " 86/257", " 84/458"}},
                        {8, 0, {"185/106", " 75/189", " 24/399", "  0/500"}}};
  const double kThresholds[] = {0.02, 0.05, 0.10, 0.20};
  for (const Row& row : kTable) {
    const ScanWindow window = WindowAfter(row.skip);
    for (size_t i = 0; i < 4; ++i) {
      const ScanCell cell =
          ScanDecisions(window, {row.rounds, kThresholds[i], DecideByMedians}, uniform).value();
      EXPECT_EQ(absl::StrFormat("%3d/%3d", cell.false_fails.count, cell.false_passes.count),
                row.cells[i])
          << row.rounds << " rounds, skip " << row.skip;
    }
  }
}

TEST(DecisionScan, RoundingReproducesThePublishedReadingByRounds) {
  const auto reading = [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    std::string text;
    for (const double value : {values.front(), Quantile(values, 0.5).value(), values.back(),
                               values.back() / values.front()}) {
      absl::StrAppendFormat(&text, "%.2f ", RoundTiesUp(value, 2));
    }
    return text;
  };
  const auto ratios = [](const std::string& arm) {
    const std::vector<double> baseline = P95s("baseline", 100);
    std::vector<double> values = P95s(arm, 100);
    for (size_t i = 0; i < values.size(); ++i) values[i] /= baseline[i];
    return values;
  };
  EXPECT_EQ(reading(P95s("baseline", 100)), "1.23 1.29 1.55 1.26 ");
  EXPECT_EQ(reading(ratios("control")), "0.81 0.98 1.18 1.45 ");
  EXPECT_EQ(reading(ratios("candidate")), "0.86 1.14 1.32 1.52 ");
}

TEST(DecisionScan, RoundsExactTiesUpAndNothingElse) {
  EXPECT_EQ(RoundTiesUp(0.125, 2), 0.13);  // printf says 0.12
  EXPECT_EQ(RoundTiesUp(2.5, 0), 3);
  EXPECT_EQ(RoundTiesUp(1.295, 2), 1.29);  // the double is below it, its product with 100 is not
  EXPECT_EQ(RoundTiesUp(1.005, 2), 1.0);
  EXPECT_EQ(RoundTiesUp(0.375, 2), 0.38);
  EXPECT_EQ(RoundTiesUp(7, 3), 7);
}

TEST(DecisionScan, GateOfAllLoanRoundsIsTheDocumentedOne) {
  const std::vector<double> baseline = P95s("baseline", 100);
  const std::vector<double> candidate = P95s("candidate", 100);
  EXPECT_EQ(DecideByGate(baseline, candidate, 0.05), GateDecision::kFail);
  const GateScores strict =
      ScoreGate(baseline, candidate, {.relative = 0.05, .is_strict = true}).value();
  EXPECT_EQ(DecideGate(strict, {}).value().decision, GateDecision::kInconclusive);
  const ScoreLimits limits =
      LimitsOf(ScoreGate(baseline, candidate, {}).value().over_floor, {}).value();
  EXPECT_NEAR(std::expm1(limits.mean), 0.1285, 5e-5);
  EXPECT_NEAR(std::expm1(limits.low), 0.0269, 5e-5);
  EXPECT_NEAR(std::expm1(limits.high), 0.1999, 5e-5);
}

TEST(DecisionScan, GateSaysThatEightRoundsOfThisNoiseDoNotTell) {
  Random random(1);
  const auto uniform = [&] { return random.Uniform(); };
  const ScanCell cell =
      ScanDecisions(WindowAfter(100), {.rounds = 8, .threshold = 0.05}, uniform).value();
  EXPECT_EQ(cell.false_fails.count, 0u);
  EXPECT_EQ(cell.false_passes.count, 0u);
  EXPECT_GT(cell.control_undecided, 250u);
  EXPECT_EQ(cell.independent_decisions, 1u);
  const ScanCell few =
      ScanDecisions(WindowAfter(100), {.rounds = 2, .threshold = 0.05}, uniform).value();
  EXPECT_EQ(few.control_undecided, 500u);
  EXPECT_EQ(few.candidate_undecided, 500u);
}

TEST(DecisionScan, BoundsRatesByIndependentDecisionsOnly) {
  Random random(2);
  const auto uniform = [&] { return random.Uniform(); };
  const auto scan = [&](const ScanWindow& window, size_t rounds) {
    return ScanDecisions(window, {rounds, 0.05, DecideByMedians}, uniform).value();
  };
  const ScanWindow clean = {std::vector<double>(10, 1.0), std::vector<double>(10, 1.0),
                            std::vector<double>(10, 2.0)};
  // Nothing in n decisions: 1 - 0.05^(1/n).
  EXPECT_NEAR(scan(clean, 1).false_fails.rate_high, 0.2588655509, 1e-9);
  EXPECT_NEAR(scan(clean, 8).false_fails.rate_high, 0.95, 1e-9);
  EXPECT_EQ(scan(clean, 3).independent_decisions, 3u);
  const ScanWindow swapped = {clean.baseline, clean.candidate, clean.control};
  EXPECT_EQ(scan(swapped, 1).false_fails.count, 500u);
  EXPECT_EQ(scan(swapped, 1).false_fails.rate_high, 1);
  EXPECT_EQ(scan(swapped, 1).false_passes.count, 500u);
  ScanWindow mixed = clean;
  for (size_t i = 0; i < 3; ++i) mixed.control[i] = 2;
  // About 150 of 500 are 3 or 4 of 10: Clopper-Pearson.
  const ScanRate rate = scan(mixed, 1).false_fails;
  EXPECT_NEAR(rate.rate_high, rate.count <= 150 ? 0.6066242 : 0.6964626, 1e-6);
}

TEST(DecisionScan, RefusesWhatItCannotDraw) {
  const auto uniform = [] { return 0.0; };
  const ScanWindow window = {{1, 2}, {1, 2}, {1, 2}};
  const auto code = [&](const ScanWindow& asked, const ScanQuestion& question) {
    return ScanDecisions(asked, question, uniform).status().code();
  };
  EXPECT_EQ(code(window, {.rounds = 2, .threshold = 0.05}), absl::StatusCode::kOk);
  EXPECT_EQ(code(window, {.rounds = 3, .threshold = 0.05}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(window, {.rounds = 0, .threshold = 0.05}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(window, {.rounds = 1, .threshold = 0}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(window, {.rounds = 1, .threshold = 0.05, .trials = kScanTrialsMax + 1}),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{1, 2}, {1}, {1, 2}}, {.rounds = 1, .threshold = 0.05}),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{1, 0}, {1, 2}, {1, 2}}, {.rounds = 1, .threshold = 0.05}),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tare::stats
