// What `tare plan --for` and `--to-see` print.
//
// Pure function, thread-safe.

#ifndef TARE_COORDINATOR_PLAN_FORMAT_RUN_SIZE_H_
#define TARE_COORDINATOR_PLAN_FORMAT_RUN_SIZE_H_

#include <span>
#include <string>

#include "coordinator/plan/run_size.h"
#include "tare/v1/plan.pb.h"

namespace tare::coordinator {

struct RunSizeText {
  std::string experiment;
  std::string run;           // the pilot
  std::string verdict_note;  // why its report was refused; empty when it was not
  v1::Pairing pairing = v1::PAIRING_UNSPECIFIED;
  size_t units_max = 0;  // that the experiment file allows
  size_t pilot_sets = 0;
  size_t cells_count = 1;
};

// At most 80 columns wide unless a single word is longer. `now` is what the file would give as it
// is. Requires: at least one spread.
std::string FormatRunSize(const RunSizeText& text, std::span<const PilotSpread> spreads,
                          const PilotCost& cost, const Wanted& wanted, const RunSizePlan& plan,
                          const RunSize& now);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_FORMAT_RUN_SIZE_H_
