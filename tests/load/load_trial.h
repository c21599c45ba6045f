// A trial of tare-load, driven through the pipes of the workload protocol.

#ifndef TARE_TESTS_LOAD_LOAD_TRIAL_H_
#define TARE_TESTS_LOAD_LOAD_TRIAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace tare::load {

struct TrialOptions {
  int samples = 100;
  int warmup = 0;
  uint64_t seed = 1;
  nlohmann::json services = nlohmann::json::array();
  nlohmann::json arm = nlohmann::json::object();  // beside name and config
};

// The answers; those that did not come are null.
struct LoadTrial {
  nlohmann::json hello, ready, samples, evidence, error;

  std::vector<int64_t> Column(const char* name) const;
  std::vector<int64_t> Step(const char* name) const;
  int64_t Counter(const char* name) const;
  // "message | detail | code" of the error; empty without one.
  std::string Error() const;
};

// The config of a fast open loop that does not mind a busy machine, with `more` added or replaced.
nlohmann::json OpenLoop(const nlohmann::json& more = nlohmann::json::object());
nlohmann::json ClosedLoop(const nlohmann::json& more = nlohmann::json::object());

// Blocks until the trial is over. The service is at `address`, unless the options name others.
LoadTrial RunTrial(const std::string& address, const nlohmann::json& config,
                   TrialOptions options = {});

// Entries of a column that are above `limit`.
int CountAbove(const std::vector<int64_t>& column, int64_t limit);

}  // namespace tare::load

#endif  // TARE_TESTS_LOAD_LOAD_TRIAL_H_
