// HTTP/1.1 on a port of 127.0.0.1, with connections kept alive.
//
// Each thread has an event loop, a store and its share of the connections, so threads never wait
// for each other. A connection stays with its thread; there are as many as the process may have
// descriptors.

#ifndef TARE_WORKLOADS_LOAN_SERVER_H_
#define TARE_WORKLOADS_LOAN_SERVER_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "workloads/loan/desk.h"
#include "workloads/loan/failure.h"
#include "workloads/loan/loan_store.h"

namespace tare::loan {

struct ServerOptions {
  uint16_t port = 0;  // 0: a free one
  Version version = Version::kA;
  StoreSize size;
  int threads_count = 1;
};

// Fills the stores, listens, says so once by `on_listening`, and serves until SIGTERM or SIGINT.
// Requests that have arrived by then are answered, and waited for at most one second. To be called
// once in a process. A Failure when the port is taken or memory is short.
std::optional<Failure> Serve(const ServerOptions& options,
                             const std::function<void(uint16_t port)>& on_listening);

}  // namespace tare::loan

#endif  // TARE_WORKLOADS_LOAN_SERVER_H_
