#include "stats/block_medians.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/grouped_median.h"
#include "stats/moments.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<double> SquaredErrorOfMedian(std::span<const double> values,
                                            std::span<const size_t> strata, double tick) {
  RETURN_IF_ERROR(CheckValues(values, kBlocksMin * kBlockSamplesMin));
  if (!strata.empty() && strata.size() != values.size()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(values.size(), " values but the strata of ", strata.size()));
  }
  const std::set<size_t> all_strata(strata.begin(), strata.end());
  const size_t strata_count = std::max<size_t>(1, all_strata.size());
  const size_t blocks = std::min(kBlocksMax, values.size() / kBlockSamplesMin);
  std::vector<double> estimates;
  for (size_t b = 0; b < blocks; ++b) {
    std::map<size_t, std::vector<double>> of_stratum;
    const size_t end = (b + 1) * values.size() / blocks;
    for (size_t i = b * values.size() / blocks; i < end; ++i) {
      of_stratum[strata.empty() ? 0 : strata[i]].push_back(values[i]);
    }
    if (of_stratum.size() < strata_count) continue;
    double sum = 0;
    for (const auto& [stratum, members] : of_stratum) {
      ASSIGN_OR_RETURN(const double median, GroupedMedian(members, tick));
      sum += median;
    }
    estimates.push_back(sum / static_cast<double>(strata_count));
  }
  if (estimates.size() < kBlocksMin) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("only ", estimates.size(), " of ", blocks,
                                  " blocks have values of every stratum"));
  }
  ASSIGN_OR_RETURN(const Moments moments, MomentsOf(estimates));
  return moments.sd * moments.sd / static_cast<double>(blocks);
}

}  // namespace tare::stats
