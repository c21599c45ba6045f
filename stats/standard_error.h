// The mean with its standard error, of units that are alike or that belong to groups.
//
// Units of several hosts are not alike: t over all of them covers 70.7 % instead of 95 % when 3
// hosts of 5 processes differ as much as their processes do. Either the hosts are taken as they are
// and only the spread inside them counts (StandardErrorWithin), or a host is one unit (GroupMeans).
//
// Pure functions; safe to call from any thread.
// Source: one-way analysis of variance (any textbook), groups fixed or random.

#ifndef TARE_STATS_STANDARD_ERROR_H_
#define TARE_STATS_STANDARD_ERROR_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::stats {

struct StandardError {
  double mean = 0;
  double error = 0;    // above 0
  double degrees = 0;  // of Student's t
  size_t count = 0;    // values
};

// sd/√n with n - 1 degrees. Errors: those of CheckVaries with at least two values.
absl::StatusOr<StandardError> StandardErrorOf(std::span<const double> values);

// The mean of all values, and √(residual variance / n) with n - G degrees: the spread inside the G
// groups. `groups[i]` is that of value i. About these groups, as often as each was used.
// Errors: those of CheckValues with at least two values; InvalidArgument when the spans differ in
// length; FailedPrecondition when no group has two values, or none varies.
absl::StatusOr<StandardError> StandardErrorWithin(std::span<const double> values,
                                                  std::span<const size_t> groups);

// The mean of each group, in the order of the groups' numbers. About groups like these: each is one
// value, however many it consists of. Requires: spans of one length.
std::vector<double> GroupMeans(std::span<const double> values, std::span<const size_t> groups);

}  // namespace tare::stats

#endif  // TARE_STATS_STANDARD_ERROR_H_
