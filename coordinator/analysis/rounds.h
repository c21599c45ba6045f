// Which trials of a run may be used: those of complete rounds.
//
// A round is a replicate of everything; using part of one would weigh cells and arms differently.
// Trials that are missing are told apart: a run that should be complete and is not is refused, a
// round that was cut by a person or a lost agent is left out whole and said.

#ifndef TARE_COORDINATOR_ANALYSIS_ROUNDS_H_
#define TARE_COORDINATOR_ANALYSIS_ROUNDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/samples.h"

namespace tare::coordinator {

// Points into the RunData that it was read from.
struct UsedTrial {
  const v1::Trial* planned = nullptr;
  const TrialData* data = nullptr;
  TimedSamples samples;
};

struct Rounds {
  std::vector<UsedTrial> trials;  // of complete rounds, in plan order
  int32_t rounds_planned = 0;
  int32_t rounds_counted = 0;
  int32_t trials_counted = 0;  // complete ones, of incomplete rounds too
  int64_t samples_count = 0;   // of those, warm-up included
  // Trials whose program or agent did not bring them to an end, by outcome failed or refused.
  std::vector<const TrialData*> failed;
  std::vector<std::string> incomplete;  // one sentence a reason; any refuses the run
  std::string left_out;                 // a sentence when rounds were cut; empty otherwise
};

// "trial 3 (round 1, plans=40)".
std::string NameTrial(const v1::Plan& plan, const v1::Trial& planned);

// InvalidArgument when plan and data contradict each other.
absl::StatusOr<Rounds> ReadRounds(const RunData& data);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_ROUNDS_H_
