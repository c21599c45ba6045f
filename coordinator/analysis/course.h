// All samples of one process in the order of measurement, warm-up included, and what a metric makes
// of them: one number a process.
//
// For designs by rounds, where a process runs one arm. For what a report shows beside a verdict,
// not for the verdict. Pure functions.

#ifndef TARE_COORDINATOR_ANALYSIS_COURSE_H_
#define TARE_COORDINATOR_ANALYSIS_COURSE_H_

#include <cstddef>
#include <vector>

#include "coordinator/analysis/units.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// Fewer than this, behind the warm-up, and a process has no course to look at.
inline constexpr size_t kCourseSamplesMin = 20;

struct Course {
  std::vector<double> values_ns;  // per operation
  size_t warmup = 0;              // so many of them are
};

Course CourseOf(const v1::Plan& plan, const UsedTrial& trial);

enum class Side { kBaseline, kCandidate };
enum class Window { kBehindWarmUp, kAll };

// Latency, or a metric that is a quantile of the samples, one number a unit of the comparison and
// above 0, in ns. Empty for other metrics, and where a process has too few samples, or too few
// above the quantile.
std::vector<double> ValuesByRound(const v1::Plan& plan, const CellComparison& comparison, Side side,
                                  v1::Metric metric, Window window);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_COURSE_H_
