#include "coordinator/analysis/warm_up.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "coordinator/analysis/course.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/process_metric.h"
#include "coordinator/analysis/text.h"
#include "stats/log_ratio.h"
#include "stats/quantile.h"
#include "stats/warm_up.h"

namespace tare::coordinator {
namespace {

constexpr char kCode[] = "not-steady";
// Of the table.
constexpr size_t kBlocksShownMax = 10;
constexpr double kTailQuantile = 0.95;
// Of the rule: longer processes have longer blocks.
constexpr size_t kBlocksJudged = 50;
constexpr double kTolerance = 0.01;

// Courses by arm, as an index into Plan.arms.
using Courses = std::map<uint32_t, std::vector<Course>>;

// Empty when a process has too few samples.
Courses CoursesOfCell(const RunData& data, const Rounds& rounds, const v1::Cell& cell) {
  Courses courses;
  for (const UsedTrial& trial : rounds.trials) {
    if (trial.planned->cell() != cell.cell()) continue;
    if (trial.samples.values_ns.size() < kCourseSamplesMin) return {};
    courses[trial.samples.arms.front()].push_back(CourseOf(data.plan, trial));
  }
  return courses;
}

// 20, 50, 100, 200, …: the first that makes few enough blocks.
size_t ShownBlockSize(size_t samples) {
  constexpr std::array<size_t, 3> kSteps = {20, 50, 100};
  for (size_t decade = 1;; decade *= 10) {
    for (size_t step : kSteps) {
      if (samples / (step * decade) <= kBlocksShownMax) return step * decade;
    }
  }
}

v1::WarmUpArm PoolBlock(const std::vector<Course>& courses, size_t first, size_t end) {
  std::vector<double> pooled;
  for (const Course& course : courses) {
    const std::vector<double>& values = course.values_ns;
    pooled.insert(pooled.end(), values.begin() + static_cast<std::ptrdiff_t>(first),
                  values.begin() + static_cast<std::ptrdiff_t>(std::min(end, values.size())));
  }
  v1::WarmUpArm arm;
  arm.set_samples_count(static_cast<int64_t>(pooled.size()));
  if (const auto median = stats::Median(pooled); median.ok()) arm.set_median_ns(*median);
  if (!BearsQuantile(pooled.size(), kTailQuantile)) return arm;
  if (const auto p95 = stats::Quantile(pooled, kTailQuantile); p95.ok()) arm.set_p95_ns(*p95);
  return arm;
}

void AddBlocks(const v1::Plan& plan, const Courses& courses, v1::WarmUpTable* table) {
  size_t shortest = SIZE_MAX;
  size_t longest = 0;
  size_t warmup = 0;
  for (const auto& [arm, of_arm] : courses) {
    table->add_arms(plan.arms(static_cast<int>(arm)).name());
    for (const Course& course : of_arm) {
      shortest = std::min(shortest, course.values_ns.size());
      longest = std::max(longest, course.values_ns.size());
      warmup = std::max(warmup, course.warmup);
    }
  }
  const size_t size = ShownBlockSize(shortest);
  table->set_samples_per_block(static_cast<int32_t>(size));
  table->set_warmup_samples(static_cast<int32_t>(warmup));
  const size_t blocks = shortest / size;
  for (size_t i = 0; i < blocks; ++i) {
    const size_t end = i + 1 < blocks ? (i + 1) * size : longest;
    v1::WarmUpBlock* block = table->add_blocks();
    block->set_first(static_cast<int32_t>(i * size));
    block->set_last(static_cast<int32_t>(end - 1));
    for (const auto& [arm, of_arm] : courses) *block->add_arms() = PoolBlock(of_arm, i * size, end);
  }
}

// log(candidate) - log(baseline) of the medians of one block; absent where one of them is 0.
std::optional<double> BlockDifference(const Unit& unit, size_t first, size_t size) {
  const auto median = [&](const UsedTrial& trial) {
    return stats::Median(std::span<const double>(trial.samples.values_ns).subspan(first, size));
  };
  const auto baseline = median(*unit.baseline_trial);
  const auto candidate = median(*unit.candidate_trial);
  if (!baseline.ok() || !candidate.ok()) return std::nullopt;
  const auto difference = stats::LogRatio(*baseline, *candidate);
  return difference.ok() ? std::optional(*difference) : std::nullopt;
}

// One series of blocks a round; empty where a ratio cannot be had.
std::vector<std::vector<double>> BlockDifferences(const std::vector<Unit>& units, size_t blocks,
                                                  size_t size) {
  std::vector<std::vector<double>> rounds;
  for (const Unit& unit : units) {
    std::vector<double>& round = rounds.emplace_back();
    for (size_t block = 0; block < blocks; ++block) {
      const std::optional<double> difference = BlockDifference(unit, block * size, size);
      if (!difference.has_value()) return {};
      round.push_back(*difference);
    }
  }
  return rounds;
}

v1::CheckStatus StatusOf(stats::Steadiness steadiness) {
  switch (steadiness) {
    case stats::Steadiness::kSteady:
      return v1::CHECK_STATUS_PASSED;
    case stats::Steadiness::kNotSteady:
      return v1::CHECK_STATUS_REFUSED;
    case stats::Steadiness::kUnresolved:
      break;
  }
  return v1::CHECK_STATUS_WARNED;
}

std::string Say(const stats::WarmUp& warm_up, const v1::Steadiness& result) {
  const std::string blocks =
      absl::StrFormat("%d blocks of %d samples", result.blocks_count(), result.samples_per_block());
  if (static_cast<size_t>(result.blocks_count()) < stats::kWarmUpBlocksMin) {
    return absl::StrCat("unresolved: ", blocks, ", and it takes ", stats::kWarmUpBlocksMin);
  }
  if (!warm_up.drift.has_value()) {
    return absl::StrFormat("not steady: too few of %s have settled (from block %d on)", blocks,
                           warm_up.start);
  }
  const char* answer = "unresolved";
  if (warm_up.steadiness == stats::Steadiness::kSteady) answer = "steady";
  if (warm_up.steadiness == stats::Steadiness::kNotSteady) answer = "not steady";
  return absl::StrFormat(
      "%s: moves by %+.2f %% over %s from block %d on; more than %.2f %% is excluded (tolerance "
      "%.3g %%)",
      answer, 100 * *warm_up.drift, blocks, warm_up.start,
      100 * warm_up.tolerance_shown.value_or(0), 100 * result.tolerance());
}

// The common length of all processes of the comparison, behind the warm-up.
size_t ShortestTimed(const CellComparison& comparison) {
  size_t shortest = SIZE_MAX;
  for (const Unit& unit : comparison.units) {
    shortest = std::min({shortest, unit.baseline_trial->samples.values_ns.size(),
                         unit.candidate_trial->samples.values_ns.size()});
  }
  return comparison.units.empty() ? 0 : shortest;
}

v1::Steadiness JudgeSteadiness(const CellComparison& comparison) {
  const size_t shortest = ShortestTimed(comparison);
  const size_t size = std::max(kCourseSamplesMin, (shortest + kBlocksJudged - 1) / kBlocksJudged);
  const size_t blocks = shortest / size;
  v1::Steadiness result;
  result.set_baseline(comparison.planned->baseline());
  result.set_candidate(comparison.planned->candidate());
  result.set_samples_per_block(static_cast<int32_t>(size));
  result.set_blocks_count(static_cast<int32_t>(blocks));
  result.set_tolerance(kTolerance);
  const auto warm_up =
      stats::AssessWarmUp(BlockDifferences(comparison.units, blocks, size), kTolerance);
  if (!warm_up.ok()) {
    result.set_status(v1::CHECK_STATUS_NOT_RUN);
    result.set_text("no ratio of the arms' blocks can be had");
    return result;
  }
  result.set_status(StatusOf(warm_up->steadiness));
  if (warm_up->drift.has_value()) result.set_drift(*warm_up->drift);
  if (warm_up->tolerance_shown.has_value()) result.set_shown(*warm_up->tolerance_shown);
  result.set_text(Say(*warm_up, result));
  return result;
}

// From harmless to grave.
int Rank(v1::CheckStatus status) {
  switch (status) {
    case v1::CHECK_STATUS_REFUSED:
      return 3;
    case v1::CHECK_STATUS_WARNED:
      return 2;
    case v1::CHECK_STATUS_NOT_RUN:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

std::vector<v1::WarmUpTable> MakeWarmUpTables(const RunData& data, const Rounds& rounds,
                                              std::span<const CellComparison> comparisons) {
  std::vector<v1::WarmUpTable> tables;
  if (data.plan.pairing() != v1::PAIRING_ROUNDS) return tables;
  for (const v1::Cell& cell : data.plan.cells()) {
    const Courses courses = CoursesOfCell(data, rounds, cell);
    if (courses.empty()) continue;
    v1::WarmUpTable table;
    if (cell.levels_size() > 0) table.set_cell(NameCell(cell));
    AddBlocks(data.plan, courses, &table);
    for (const CellComparison& comparison : comparisons) {
      if (comparison.cell->cell() != cell.cell()) continue;
      if (comparison.planned->kind() != v1::COMPARISON_KIND_SUBJECT) continue;
      *table.add_steadiness() = JudgeSteadiness(comparison);
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

const v1::Steadiness* FindSteadiness(
    const google::protobuf::RepeatedPtrField<v1::WarmUpTable>& tables,
    const v1::ReportComparison& comparison) {
  for (const v1::WarmUpTable& table : tables) {
    if (table.cell() != comparison.cell()) continue;
    for (const v1::Steadiness& steadiness : table.steadiness()) {
      if (steadiness.baseline() == comparison.baseline() &&
          steadiness.candidate() == comparison.candidate()) {
        return &steadiness;
      }
    }
  }
  return nullptr;
}

v1::IntegrityCheck CheckSteadiness(
    const google::protobuf::RepeatedPtrField<v1::WarmUpTable>& tables) {
  const v1::Steadiness* worst = nullptr;
  for (const v1::WarmUpTable& table : tables) {
    for (const v1::Steadiness& steadiness : table.steadiness()) {
      if (worst == nullptr || Rank(steadiness.status()) > Rank(worst->status())) {
        worst = &steadiness;
      }
    }
  }
  if (worst == nullptr) {
    return NotRun(kCode, "no design by rounds in which each process takes enough samples").check;
  }
  Finding finding = Passed(kCode, absl::StrCat("'", worst->baseline(), "' / '", worst->candidate(),
                                               "': ", worst->text()));
  finding.check.set_status(worst->status());
  return finding.check;
}

}  // namespace tare::coordinator
