// Round trips by counting: what a proxy saw in timed blocks, per operation that went through it.

#ifndef TARE_COORDINATOR_ANALYSIS_TURNS_H_
#define TARE_COORDINATOR_ANALYSIS_TURNS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/rounds.h"

namespace tare::coordinator {

// All per operation. Absent without a block that carries the proxy's counters.
struct Turns {
  std::optional<double> turns;
  std::optional<double> client_writes;
  // Also absent when a connection was not PostgreSQL, or the observer stopped on one.
  std::optional<double> postgres_round_trips;
  // The arms whose operations were counted together and differ in their settings: with more than
  // one, the numbers are an average over them.
  std::vector<std::string> arms;
};

// Counts over the given trials, which an arm's process or a process with all arms ran. Operations
// are the iterations of the timed samples, and the untimed ones between them (`washout`).
Turns CountTurns(const RunData& data, const v1::Service& proxy, uint32_t arm,
                 std::span<const UsedTrial* const> trials);

// Whether two arms differ in name and services only.
bool HasSameSettings(const v1::PlannedArm& a, const v1::PlannedArm& b);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_TURNS_H_
