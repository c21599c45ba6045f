// What an experiment can say to tare-load, read and checked before anything is sent.

#ifndef TARE_WORKLOADS_LOAD_SETTINGS_H_
#define TARE_WORKLOADS_LOAD_SETTINGS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "workloads/load/address.h"
#include "workloads/load/schedule.h"
#include "workloads/load/target.h"
#include "workloads/sdk/cpp/workload.h"

namespace tare::load {

enum class Schedule { kConstant, kPoisson, kSteps };

struct Settings {
  Address server;
  Target target;
  std::string method;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  bool is_closed = false;
  Schedule schedule = Schedule::kConstant;  // of an open loop
  double rate = 0;                          // of constant and poisson
  std::vector<RateStep> steps;
  int connections_max = 0;  // in a closed loop: how many there are
  int64_t timeout_ns = 0;
  bool is_spinning = false;
  int64_t errors_max = 0;
  int64_t lag_max_ns = 0;
  std::string work;  // path of the server's counters; empty: none
};

inline constexpr int64_t kConnectionsMax = 4'096;
inline constexpr size_t kBodyBytesMax = size_t{1} << 20;
inline constexpr size_t kHeadersMax = 64;

// Reads all settings of the arm, and finds the service that it uses.
std::variant<sdk::Error, Settings> ReadSettings(sdk::Arm& arm,
                                                const std::vector<sdk::ServiceAddress>& services);

// What `--help` says of them, one a line.
std::string DescribeSettings();

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_SETTINGS_H_
