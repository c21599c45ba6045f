#include "stats/block_interval.h"

#include <vector>

#include "base/status.h"
#include "stats/quantile.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<Interval> BlockInterval(std::span<const double> values, size_t blocks,
                                       double confidence) {
  if (blocks < 2) return absl::InvalidArgumentError("an interval needs two blocks at least");
  RETURN_IF_ERROR(CheckValues(values, blocks));
  std::vector<double> medians;
  for (size_t block = 0; block < blocks; ++block) {
    const size_t begin = block * values.size() / blocks;
    const size_t end = (block + 1) * values.size() / blocks;
    ASSIGN_OR_RETURN(medians.emplace_back(), Median(values.subspan(begin, end - begin)));
  }
  return TInterval(medians, confidence);
}

}  // namespace tare::stats
