// Synthetic runs through a proxy whose delay is swept, to be spoiled by a test.

#ifndef TARE_TESTS_ANALYSIS_PROXY_RUN_H_
#define TARE_TESTS_ANALYSIS_PROXY_RUN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {

// Service "db" and in front of it the proxy "wire". Arms go through "wire", an arm named "direct"
// and its control to "db".
struct ProxyShape {
  RunShape run = {.sets = 20, .subjects = {"rollback"}};
  std::vector<std::string> delays = {"0us", "250us", "500us", "1ms", "2ms"};
  v1::Direction direction = v1::DIRECTION_TO_CLIENT;
  // Round trips of an operation in a round, by the latency; and what the proxy counts.
  std::function<double(int round)> round_trips = [](int) { return 3.0; };
  double turns_per_operation = 3;
  int64_t late_ns = 900;  // in each direction, at every delay
};

// A complete run whose every check passes: 300 us, processes 10 us apart, samples with an sd of
// 2 us, and the round trips.
RunData MakeProxyRun(const ProxyShape& shape);

v1::ProxyEvidence* ProxyOf(TrialData* trial);

// The trials of a cell with this delay.
std::vector<TrialData*> TrialsAt(const std::string& delay, RunData* data);

}  // namespace tare::coordinator

#endif  // TARE_TESTS_ANALYSIS_PROXY_RUN_H_
