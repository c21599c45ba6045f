// What the server says that it has done: the proof that it worked for its replies.

#ifndef TARE_WORKLOADS_LOAD_WORK_COUNTERS_H_
#define TARE_WORKLOADS_LOAD_WORK_COUNTERS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "workloads/load/address.h"
#include "workloads/sdk/cpp/error.h"

namespace tare::load {

// In the order in which the server gives them.
using WorkCounters = std::vector<std::pair<std::string, int64_t>>;
inline constexpr size_t kWorkCountersMax = 64;

// Asks for `path` with a GET on a connection of its own and reads a JSON object of integers;
// blocks, at most `timeout_ns`. An Error for anything else.
std::variant<sdk::Error, WorkCounters> ReadWorkCounters(const Address& server,
                                                        const std::string& path,
                                                        int64_t timeout_ns);

// What was added between two readings. An Error when they do not have the same names.
std::variant<sdk::Error, WorkCounters> Subtract(const WorkCounters& after,
                                                const WorkCounters& before);

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_WORK_COUNTERS_H_
