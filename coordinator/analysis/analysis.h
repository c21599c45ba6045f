// Rows → report. Pure: no clock, no store, no randomness; the same rows give the same report for
// ever. The rules are STATISTICS.md's, kept in docs/statistics.md; numbers come from stats/.
//
// Thread-safe.

#ifndef TARE_COORDINATOR_ANALYSIS_ANALYSIS_H_
#define TARE_COORDINATOR_ANALYSIS_ANALYSIS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// The counted attempt of one trial, or, when none counts, the last one with what it has.
struct TrialData {
  int32_t trial = 0;
  int32_t attempt = 0;
  bool is_counted = false;
  v1::TrialRecord record;
  std::vector<v1::SampleBlock> blocks;  // in order of role and block
};

struct RunData {
  std::string run;
  // The files of data that tare did not measure; empty for a run of its own. Of such data there is
  // no record beside the samples: what would need one is not run, and neither passed nor refused.
  std::vector<std::string> sources;
  v1::Experiment experiment;  // defaults applied
  v1::Plan plan;
  std::vector<TrialData> trials;  // any order; trials never attempted are absent
  int32_t attempts_discarded = 0;
  // The run is over and must be complete to be judged. While false (progress display), missing
  // rounds are not `incomplete`.
  bool is_final = true;
  // Stopped by a person: unfinished rounds are left out and said, not `incomplete`.
  bool is_cancelled = false;
  // Ended by its plan at a look: the rounds after it were never wanted.
  bool is_stopped_early = false;
};

// InvalidArgument when plan and data contradict each other in a way that no run can produce (an
// unknown trial or arm); everything a run can do wrong is a refusal inside the report.
absl::StatusOr<v1::Report> Analyse(const RunData& data);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_ANALYSIS_H_
