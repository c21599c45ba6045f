#include "stats/decision_scan.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/quantile.h"

namespace tare::stats {
namespace {

constexpr double kRateAlpha = 0.05;

absl::Status CheckScan(const ScanWindow& window, const ScanQuestion& question) {
  const size_t count = window.baseline.size();
  if (window.control.size() != count || window.candidate.size() != count) {
    return MakeError(
        absl::StatusCode::kInvalidArgument,
        absl::StrCat(count, " rounds of the baseline but ", window.control.size(),
                     " of the control and ", window.candidate.size(), " of the candidate"));
  }
  for (const std::vector<double>* arm : {&window.baseline, &window.control, &window.candidate}) {
    for (const double value : *arm) {
      if (std::isfinite(value) && value > 0) continue;
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("value ", value, " of a round is not above zero"));
    }
  }
  if (question.rounds < 1 || question.rounds > count) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("no subsets of ", question.rounds, " of ", count, " rounds"));
  }
  if (!(question.threshold > 0) || question.trials < 1 || question.trials > kScanTrialsMax) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("threshold ", question.threshold, " is not above zero, or ",
                                  question.trials, " trials are outside 1 to ", kScanTrialsMax));
  }
  return absl::OkStatus();
}

// Fisher-Yates, from the back, over all of them: which subset a generator gives depends on it.
void Shuffle(const std::function<double()>& uniform, std::vector<size_t>* order) {
  for (size_t i = order->size(); i > 1; --i) {
    const auto chosen = static_cast<size_t>(uniform() * static_cast<double>(i));
    std::swap((*order)[i - 1], (*order)[chosen]);
  }
}

std::vector<double> Pick(const std::vector<double>& values, std::span<const size_t> chosen) {
  std::vector<double> picked;
  for (const size_t index : chosen) picked.push_back(values[index]);
  return picked;
}

ScanRate RateOf(size_t count, size_t trials, size_t independent) {
  const size_t scaled = (count * independent + trials - 1) / trials;
  if (scaled == independent) return {count, 1};
  return {count, boost::math::binomial::find_upper_bound_on_p(
                     static_cast<double>(independent), static_cast<double>(scaled), kRateAlpha)};
}

}  // namespace

GateDecision DecideByMedians(std::span<const double> baseline, std::span<const double> other,
                             double threshold) {
  const absl::StatusOr<double> before = Quantile(baseline, 0.5);
  const absl::StatusOr<double> after = Quantile(other, 0.5);
  if (!before.ok() || !after.ok()) return GateDecision::kInconclusive;
  return *after / *before > 1 + threshold ? GateDecision::kFail : GateDecision::kPass;
}

GateDecision DecideByGate(std::span<const double> baseline, std::span<const double> other,
                          double threshold) {
  const absl::StatusOr<GateScores> scores = ScoreGate(baseline, other, {.relative = threshold});
  if (!scores.ok()) return GateDecision::kInconclusive;
  const absl::StatusOr<GateResult> result = DecideGate(*scores, {});
  return result.ok() ? result->decision : GateDecision::kInconclusive;
}

absl::StatusOr<ScanCell> ScanDecisions(const ScanWindow& window, const ScanQuestion& question,
                                       const std::function<double()>& uniform) {
  RETURN_IF_ERROR(CheckScan(window, question));
  ScanCell cell;
  std::vector<size_t> order(window.baseline.size());
  for (size_t trial = 0; trial < question.trials; ++trial) {
    std::iota(order.begin(), order.end(), size_t{0});
    Shuffle(uniform, &order);
    const std::span<const size_t> chosen = std::span(order).first(question.rounds);
    const std::vector<double> baseline = Pick(window.baseline, chosen);
    const GateDecision control =
        question.rule(baseline, Pick(window.control, chosen), question.threshold);
    const GateDecision candidate =
        question.rule(baseline, Pick(window.candidate, chosen), question.threshold);
    cell.false_fails.count += control == GateDecision::kFail;
    cell.false_passes.count += candidate == GateDecision::kPass;
    cell.control_undecided += control == GateDecision::kInconclusive;
    cell.candidate_undecided += candidate == GateDecision::kInconclusive;
  }
  cell.independent_decisions = window.baseline.size() / question.rounds;
  cell.false_fails = RateOf(cell.false_fails.count, question.trials, cell.independent_decisions);
  cell.false_passes = RateOf(cell.false_passes.count, question.trials, cell.independent_decisions);
  return cell;
}

}  // namespace tare::stats
