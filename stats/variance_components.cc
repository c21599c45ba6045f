#include "stats/variance_components.h"

#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

// One level as it divides the values, its groups numbered from 0.
struct Division {
  std::vector<size_t> group_of;  // by value
  std::vector<double> counts;    // values of each group
  std::vector<double> means;
};

Division Divide(std::span<const double> values, std::span<const size_t> labels) {
  Division division;
  std::map<size_t, size_t> numbers;
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t group = numbers.emplace(labels[i], numbers.size()).first->second;
    division.group_of.push_back(group);
    if (group == division.counts.size()) {
      division.counts.push_back(0);
      division.means.push_back(0);
    }
    division.counts[group] += 1;
    division.means[group] += values[i];
  }
  for (size_t g = 0; g < division.means.size(); ++g) division.means[g] /= division.counts[g];
  return division;
}

// The values themselves, then the levels, then everything as one group.
std::vector<Division> DivideAll(const NestedValues& nested) {
  std::vector<size_t> labels(nested.values.size());
  for (size_t i = 0; i < labels.size(); ++i) labels[i] = i;
  std::vector<Division> divisions = {Divide(nested.values, labels)};
  for (const std::vector<size_t>& groups : nested.groups) {
    divisions.push_back(Divide(nested.values, groups));
  }
  labels.assign(labels.size(), 0);
  divisions.push_back(Divide(nested.values, labels));
  return divisions;
}

absl::Status CheckInput(const NestedValues& nested) {
  RETURN_IF_ERROR(CheckValues(nested.values, 2));
  const size_t count = nested.values.size();
  for (const std::vector<size_t>& groups : nested.groups) {
    if (groups.size() == count) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(count, " values but the groups of ", groups.size()));
  }
  if (nested.squared_errors.empty()) return absl::OkStatus();
  if (nested.squared_errors.size() != count) {
    return MakeError(
        absl::StatusCode::kInvalidArgument,
        absl::StrCat(count, " values but the errors of ", nested.squared_errors.size()));
  }
  for (const double error : nested.squared_errors) {
    if (std::isfinite(error) && error >= 0) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("squared error ", error, " is not a number of at least 0"));
  }
  return absl::OkStatus();
}

absl::Status CheckNesting(const std::vector<Division>& divisions) {
  for (size_t level = 0; level + 1 < divisions.size(); ++level) {
    const Division& lower = divisions[level];
    const Division& upper = divisions[level + 1];
    std::map<size_t, size_t> parents;
    for (size_t i = 0; i < lower.group_of.size(); ++i) {
      const auto [parent, is_new] = parents.emplace(lower.group_of[i], upper.group_of[i]);
      if (is_new || parent->second == upper.group_of[i]) continue;
      return MakeError(
          absl::StatusCode::kInvalidArgument,
          absl::StrCat("a group of level ", level, " is part of two groups of level ", level + 1));
    }
    if (lower.counts.size() > upper.counts.size()) continue;
    return MakeError(
        absl::StatusCode::kFailedPrecondition,
        absl::StrCat("level ", level, " has ", lower.counts.size(), " groups, the one above it ",
                     upper.counts.size(), ": what it adds cannot be told"));
  }
  return absl::OkStatus();
}

// Sum over the values of (mean at `lower` - mean at `upper`)².
double SumOfSquares(const Division& lower, const Division& upper) {
  double sum = 0;
  for (size_t i = 0; i < lower.group_of.size(); ++i) {
    const double gap = lower.means[lower.group_of[i]] - upper.means[upper.group_of[i]];
    sum += gap * gap;
  }
  return sum;
}

// Sum over the groups g of `outer` of (sum over the groups h of `inner` in g of n_h²) / n_g: how
// often a variance of `inner` is expected in the squares of the means of `outer`.
double Expected(const Division& inner, const Division& outer) {
  double sum = 0;
  for (size_t i = 0; i < inner.group_of.size(); ++i) {
    sum += inner.counts[inner.group_of[i]] / outer.counts[outer.group_of[i]];
  }
  return sum;
}

// The same of errors that each value has by itself.
double ExpectedErrors(std::span<const double> squared_errors, const Division& outer) {
  double sum = 0;
  for (size_t i = 0; i < squared_errors.size(); ++i) {
    sum += squared_errors[i] / outer.counts[outer.group_of[i]];
  }
  return sum;
}

}  // namespace

absl::StatusOr<std::vector<LevelVariance>> VarianceComponents(const NestedValues& nested) {
  RETURN_IF_ERROR(CheckInput(nested));
  const std::vector<Division> divisions = DivideAll(nested);
  RETURN_IF_ERROR(CheckNesting(divisions));
  const Division& all = divisions.back();
  std::vector<LevelVariance> levels;
  for (size_t i = 0; i + 1 < divisions.size(); ++i) {
    const Division& lower = divisions[i];
    const Division& upper = divisions[i + 1];
    // What the levels below and the errors put into these squares is taken out, unclamped: so the
    // rest is unbiased.
    double rest = SumOfSquares(lower, upper) - ExpectedErrors(nested.squared_errors, lower) +
                  ExpectedErrors(nested.squared_errors, upper);
    for (size_t below = 0; below < i; ++below) {
      rest -= levels[below].unclamped *
              (Expected(divisions[below], lower) - Expected(divisions[below], upper));
    }
    LevelVariance level;
    level.units = lower.counts.size();
    level.unclamped = rest / (Expected(lower, lower) - Expected(lower, upper));
    level.is_clamped = level.unclamped < 0;
    level.variance = level.is_clamped ? 0 : level.unclamped;
    level.weight = Expected(lower, all) / static_cast<double>(nested.values.size());
    levels.push_back(level);
  }
  return levels;
}

}  // namespace tare::stats
