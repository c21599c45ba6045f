#include "stats/explained_share.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/moments.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<double> ExplainedShare(std::span<const double> values,
                                      std::span<const size_t> groups) {
  RETURN_IF_ERROR(CheckVaries(values, 3));
  if (values.size() != groups.size()) {
    return MakeError(
        absl::StatusCode::kInvalidArgument,
        absl::StrCat(values.size(), " values but ", groups.size(), " group memberships"));
  }
  std::map<size_t, std::vector<double>> members;
  for (size_t i = 0; i < values.size(); ++i) members[groups[i]].push_back(values[i]);
  if (members.size() == 1 || members.size() == values.size()) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat(values.size(), " values in ", members.size(), " groups"));
  }
  double within = 0;
  for (const auto& [group, list] : members) {
    ASSIGN_OR_RETURN(const double mean, Mean(list));
    for (double value : list) within += (value - mean) * (value - mean);
  }
  ASSIGN_OR_RETURN(const Moments total, MomentsOf(values));
  const double within_variance = within / static_cast<double>(values.size() - members.size());
  return std::max(0.0, 1 - within_variance / (total.sd * total.sd));
}

}  // namespace tare::stats
