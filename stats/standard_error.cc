#include "stats/standard_error.h"

#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/moments.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

struct GroupSum {
  double sum = 0;
  double count = 0;
  double Mean() const { return sum / count; }
};

std::map<size_t, GroupSum> SumGroups(std::span<const double> values,
                                     std::span<const size_t> groups) {
  std::map<size_t, GroupSum> sums;
  for (size_t i = 0; i < values.size(); ++i) {
    sums[groups[i]].sum += values[i];
    sums[groups[i]].count += 1;
  }
  return sums;
}

}  // namespace

absl::StatusOr<StandardError> StandardErrorOf(std::span<const double> values) {
  RETURN_IF_ERROR(CheckVaries(values, 2));
  ASSIGN_OR_RETURN(const Moments moments, MomentsOf(values));
  const double count = static_cast<double>(moments.count);
  return StandardError{moments.mean, moments.sd / std::sqrt(count), count - 1, moments.count};
}

absl::StatusOr<StandardError> StandardErrorWithin(std::span<const double> values,
                                                  std::span<const size_t> groups) {
  RETURN_IF_ERROR(CheckValues(values, 2));
  if (groups.size() != values.size()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(values.size(), " values but the groups of ", groups.size()));
  }
  const std::map<size_t, GroupSum> sums = SumGroups(values, groups);
  if (sums.size() == values.size()) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     "every group has one value: there is no spread inside them");
  }
  double squares = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double gap = values[i] - sums.at(groups[i]).Mean();
    squares += gap * gap;
  }
  if (squares == 0) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     "the values inside every group are equal");
  }
  StandardError result;
  ASSIGN_OR_RETURN(result.mean, Mean(values));
  result.count = values.size();
  result.degrees = static_cast<double>(values.size() - sums.size());
  result.error = std::sqrt(squares / result.degrees / static_cast<double>(values.size()));
  return result;
}

std::vector<double> GroupMeans(std::span<const double> values, std::span<const size_t> groups) {
  std::vector<double> means;
  for (const auto& [group, sum] : SumGroups(values, groups)) means.push_back(sum.Mean());
  return means;
}

}  // namespace tare::stats
