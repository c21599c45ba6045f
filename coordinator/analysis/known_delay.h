// The positive control: a delay of known size that the run must have applied and should have seen.

#ifndef TARE_COORDINATOR_ANALYSIS_KNOWN_DELAY_H_
#define TARE_COORDINATOR_ANALYSIS_KNOWN_DELAY_H_

#include "coordinator/analysis/samples.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Judges the known-delay arm against its baseline, process by process. REFUSED: the median delay
// that passed misses the asked one by more than the larger of 1 us and 1 %. WARNED: applied, but
// the 95 % interval of its effect includes zero; with a threshold, which the delay is, REFUSED too.
// NOT_RUN: no arm (`comparison` null), no unit, or no delay was asked.
v1::KnownDelayResult JudgeKnownDelay(const CellComparison* comparison, const v1::Plan& plan,
                                     bool has_threshold);

// What a delay may miss.
double AllowedMissNs(double asked_ns);

// The median delay of the arm's samples; 0 without samples.
double AppliedMedianNs(const TimedSamples& samples, uint32_t arm);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_KNOWN_DELAY_H_
