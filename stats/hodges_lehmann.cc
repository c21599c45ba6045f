#include "stats/hodges_lehmann.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/quantile.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

// P(W = w) for w = 0 … n(n+1)/2: each of the ranks 1 … n is added or not with probability 1/2.
std::vector<double> SignedRankProbabilities(size_t count) {
  std::vector<double> probabilities(count * (count + 1) / 2 + 1, 0.0);
  probabilities[0] = 1;
  size_t reached = 0;
  for (size_t rank = 1; rank <= count; ++rank) {
    reached += rank;
    for (size_t w = reached + 1; w-- > 0;) {
      const double with = w >= rank ? probabilities[w - rank] : 0;
      probabilities[w] = (probabilities[w] + with) / 2;
    }
  }
  return probabilities;
}

std::vector<double> WalshAverages(std::span<const double> values) {
  std::vector<double> averages;
  averages.reserve(values.size() * (values.size() + 1) / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i; j < values.size(); ++j) averages.push_back((values[i] + values[j]) / 2);
  }
  std::sort(averages.begin(), averages.end());
  return averages;
}

}  // namespace

absl::StatusOr<HodgesLehmannEstimate> HodgesLehmann(std::span<const double> values,
                                                    double confidence) {
  RETURN_IF_ERROR(CheckVaries(values, 2));
  if (!(confidence > 0 && confidence < 1)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("confidence ", confidence, " is not between 0 and 1"));
  }
  if (values.size() > kHodgesLehmannValuesMax) {
    return MakeError(absl::StatusCode::kResourceExhausted,
                     absl::StrCat(values.size(), " values are more than the ",
                                  kHodgesLehmannValuesMax, " of an exact signed-rank interval"));
  }
  HodgesLehmannEstimate result;
  double below = 0;
  for (double probability : SignedRankProbabilities(values.size())) {
    if (below + probability > (1 - confidence) / 2) break;
    below += probability;
    ++result.rank;
  }
  if (result.rank == 0) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat(values.size(), " values cannot reach a confidence of ",
                                  confidence, " by signed ranks"));
  }
  const std::vector<double> averages = WalshAverages(values);
  ASSIGN_OR_RETURN(result.value, Median(averages));
  result.low = averages[result.rank - 1];
  result.high = averages[averages.size() - result.rank];
  result.coverage = 1 - 2 * below;
  return result;
}

}  // namespace tare::stats
