// What the proxy's evidence costs on the data path: one message of 64 bytes shown to the observer,
// one duration counted. Both must stay well below 100 ns.

#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "base/random.h"
#include "benchmark/benchmark.h"
#include "proxy/histogram.h"
#include "proxy/postgres_observer.h"

namespace tare::proxy {
namespace {

// A message of 64 bytes in all.
std::string Message64(char type) {
  std::string message = {type, 0, 0, 0, 63};
  message.resize(64, 'x');
  return message;
}

// Past the startup.
void Start(PostgresObserver& observer) {
  observer.FromClient(absl::string_view("\0\0\0\x08\0\x03\0\0", 8), 0);
  observer.FromServer(absl::string_view("Z\0\0\0\x05I", 6), 0);
}

void ServerMessage(benchmark::State& state) {
  PostgresObserver observer;
  Start(observer);
  const std::string row = Message64('D');
  for (auto _ : state) observer.FromServer(row, 0);
  if (!observer.WhyStopped().empty()) state.SkipWithError("the observer stopped");
}
BENCHMARK(ServerMessage);

// A query of 64 bytes and its ReadyForQuery: two messages, one round trip.
void RoundTrip(benchmark::State& state) {
  PostgresObserver observer;
  Start(observer);
  const std::string query = Message64('Q');
  int64_t now_ns = 0;
  for (auto _ : state) {
    observer.FromClient(query, now_ns);
    now_ns += 100'000;
    observer.FromServer(absl::string_view("Z\0\0\0\x05I", 6), now_ns);
  }
  if (!observer.WhyStopped().empty()) state.SkipWithError("the observer stopped");
}
BENCHMARK(RoundTrip);

void HistogramAdd(benchmark::State& state) {
  constexpr size_t kDurations = 1024;
  std::array<int64_t, kDurations> durations;
  Random random(1);
  for (int64_t& ns : durations) ns = static_cast<int64_t>(random.Below(1'000'000));
  Histogram histogram;
  size_t i = 0;
  for (auto _ : state) histogram.Add(durations[i++ % kDurations]);
}
BENCHMARK(HistogramAdd);

}  // namespace
}  // namespace tare::proxy
