#include "stats/warm_up.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/quantile.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

constexpr size_t kSegmentMin = 3;
// 3 × 2 log n: blocks depend on each other. Chosen, as the spread factor, over simulated curves.
constexpr double kPenaltyFactor = 6;
constexpr double kSpreadFactor = 1.2;
constexpr double kSteadyShareMin = 0.4;
constexpr double kZ95 = 1.6448536269514722;

// Sums over any stretch of blocks in constant time.
class Sums {
 public:
  // Around the first block, so that the level costs no digits.
  explicit Sums(std::span<const double> blocks)
      : origin_(blocks.front()), sums_(1, 0.0), squares_(1, 0.0) {
    for (const double block : blocks) {
      const double value = block - origin_;
      sums_.push_back(sums_.back() + value);
      squares_.push_back(squares_.back() + value * value);
    }
  }

  double Mean(size_t begin, size_t end) const {
    return origin_ + (sums_[end] - sums_[begin]) / static_cast<double>(end - begin);
  }

  // Squared distances from the mean of the stretch.
  double Cost(size_t begin, size_t end) const {
    const double sum = sums_[end] - sums_[begin];
    const double cost =
        squares_[end] - squares_[begin] - sum * sum / static_cast<double>(end - begin);
    return std::max(0.0, cost);
  }

 private:
  double origin_;
  std::vector<double> sums_;
  std::vector<double> squares_;
};

absl::Status CheckBlocksCount(size_t count) {
  if (count <= kWarmUpBlocksMax) return absl::OkStatus();
  return MakeError(
      absl::StatusCode::kResourceExhausted,
      absl::StrCat(count, " blocks are more than the ", kWarmUpBlocksMax, " of a warm-up"));
}

absl::StatusOr<std::vector<double>> MeansOfBlocks(std::span<const std::vector<double>> processes) {
  if (processes.empty()) {
    return MakeError(absl::StatusCode::kFailedPrecondition, "no processes with blocks");
  }
  std::vector<double> means(processes.front().size());
  for (const std::vector<double>& blocks : processes) {
    if (blocks.size() != means.size()) {
      return MakeError(
          absl::StatusCode::kInvalidArgument,
          absl::StrCat("a process has ", blocks.size(), " blocks, another ", means.size()));
    }
    RETURN_IF_ERROR(CheckValues(blocks, 1));
    for (size_t i = 0; i < blocks.size(); ++i) {
      means[i] += blocks[i] / static_cast<double>(processes.size());
    }
  }
  return means;
}

// The standard deviation of a block about the curve, from successive differences.
double NoiseOf(std::span<const double> blocks) {
  std::vector<double> steps;
  for (size_t i = 1; i < blocks.size(); ++i) steps.push_back(std::abs(blocks[i] - blocks[i - 1]));
  return Median(steps).value_or(0) / (0.6745 * std::sqrt(2.0));
}

// The begin of the last segments whose means are as that of the last one.
size_t StartOfLastLevel(const Sums& sums, std::span<const size_t> begins, size_t count,
                        double tolerance) {
  const double last = sums.Mean(begins.back(), count);
  size_t segment = begins.size() - 1;
  while (segment > 0 &&
         std::abs(sums.Mean(begins[segment - 1], begins[segment]) - last) <= tolerance) {
    --segment;
  }
  return begins[segment];
}

// The test of equivalence: is the drift between the thirds within the tolerance?
void JudgeThirds(const Sums& sums, size_t count, double noise, double tolerance, WarmUp* result) {
  const size_t third = (count - result->start) / 3;
  const double drift =
      sums.Mean(count - third, count) - sums.Mean(result->start, result->start + third);
  const double margin = kZ95 * kSpreadFactor * noise * std::sqrt(2.0 / static_cast<double>(third));
  result->drift = drift;
  result->tolerance_shown = std::abs(drift) + margin;
  if (std::abs(drift) + margin <= tolerance) {
    result->steadiness = Steadiness::kSteady;
  } else if (std::abs(drift) - margin > tolerance) {
    result->steadiness = Steadiness::kNotSteady;
  }
}

}  // namespace

absl::StatusOr<size_t> MserCut(std::span<const double> blocks) {
  RETURN_IF_ERROR(CheckValues(blocks, 2));
  const Sums sums(blocks);
  size_t best = 0;
  double best_value = std::numeric_limits<double>::infinity();
  for (size_t cut = 0; 2 * cut < blocks.size(); ++cut) {
    const double rest = static_cast<double>(blocks.size() - cut);
    const double value = sums.Cost(cut, blocks.size()) / rest / rest;
    if (value < best_value) {
      best = cut;
      best_value = value;
    }
  }
  return best;
}

absl::StatusOr<std::vector<size_t>> LevelSegments(std::span<const double> blocks, double penalty) {
  RETURN_IF_ERROR(CheckValues(blocks, 1));
  RETURN_IF_ERROR(CheckBlocksCount(blocks.size()));
  if (!(std::isfinite(penalty) && penalty >= 0)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("penalty ", penalty, " is below zero or not finite"));
  }
  const Sums sums(blocks);
  const size_t count = blocks.size();
  // The least cost of the blocks before each end, and where its last segment begins. No segment
  // ends within the first kSegmentMin blocks, unless there are no more.
  std::vector<double> cost(count + 1, std::numeric_limits<double>::infinity());
  std::vector<size_t> begin(count + 1, 0);
  cost[0] = 0;
  for (size_t end = std::min(kSegmentMin, count); end <= count; ++end) {
    for (size_t from = 0; from == 0 || from + kSegmentMin <= end; ++from) {
      const double total = cost[from] + sums.Cost(from, end) + penalty;
      if (total >= cost[end]) continue;
      cost[end] = total;
      begin[end] = from;
    }
  }
  std::vector<size_t> begins;
  for (size_t end = count; end > 0; end = begin[end]) begins.push_back(begin[end]);
  std::reverse(begins.begin(), begins.end());
  return begins;
}

absl::StatusOr<WarmUp> AssessWarmUp(std::span<const std::vector<double>> processes,
                                    double tolerance) {
  ASSIGN_OR_RETURN(const std::vector<double> blocks, MeansOfBlocks(processes));
  if (!(std::isfinite(tolerance) && tolerance > 0)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("tolerance ", tolerance, " is not above zero"));
  }
  const size_t count = blocks.size();
  RETURN_IF_ERROR(CheckBlocksCount(count));
  WarmUp result;
  if (count < kWarmUpBlocksMin) return result;
  const double noise = NoiseOf(blocks);
  const double penalty = kPenaltyFactor * std::log(static_cast<double>(count)) * noise * noise;
  ASSIGN_OR_RETURN(const std::vector<size_t> begins, LevelSegments(blocks, penalty));
  ASSIGN_OR_RETURN(const size_t cut, MserCut(blocks));
  const Sums sums(blocks);
  const double merged = std::max(tolerance, 2 * noise / std::sqrt(5.0));
  result.start = std::max(StartOfLastLevel(sums, begins, count, merged), cut);
  // A cut at its far end says that the curve has not stopped changing.
  if (2 * cut + 2 >= count ||
      static_cast<double>(count - result.start) < kSteadyShareMin * static_cast<double>(count)) {
    result.steadiness = Steadiness::kNotSteady;
    return result;
  }
  JudgeThirds(sums, count, noise, tolerance, &result);
  return result;
}

}  // namespace tare::stats
