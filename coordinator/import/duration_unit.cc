#include "coordinator/import/duration_unit.h"

#include <cmath>

namespace tare::coordinator {

std::optional<int64_t> ToNs(double value, const DurationUnit& unit) {
  const double ns = value * unit.ns;
  if (!(ns >= 0 && ns <= kSampleNsMax)) return std::nullopt;  // an undefined value is neither
  return std::llround(ns);
}

}  // namespace tare::coordinator
