// Numbers of units, one each, with what those units stand for: themselves, or the hosts they ran
// on.
//
// On one host every unit is alike, and Student's t goes over all of them. Units of several hosts
// are not: then either the hosts are taken as they are, and the spread inside them counts, or each
// host is one value. STATISTICS.md's table calls that the scope.
//
// Thread-safe: values only.

#ifndef TARE_COORDINATOR_ANALYSIS_SAMPLED_VALUES_H_
#define TARE_COORDINATOR_ANALYSIS_SAMPLED_VALUES_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "stats/standard_error.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

struct SampledValues {
  std::vector<double> values = {};
  v1::Scope scope = v1::SCOPE_UNSPECIFIED;  // unspecified: one host
  std::vector<size_t> hosts = {};           // of each value; empty when unspecified

  // Adds the value of a unit with these groups (Unit::groups).
  void Add(double value, const std::vector<size_t>& groups);
  // The values that are units: those of hosts are the means of each host.
  std::vector<double> Units() const;
  // As many as a t interval over so many alike units would have degrees for, one more than degrees:
  // of these hosts fewer than there are values.
  size_t UnitsCount() const;
  // Errors: those of stats/standard_error.h.
  absl::StatusOr<stats::StandardError> Error() const;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_SAMPLED_VALUES_H_
