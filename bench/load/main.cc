// How exactly tare-load keeps its schedule, and what that costs, against a server that does
// nothing.
//
// The generator runs on one CPU, the server on another. Asserts nothing: it prints a table.

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "bench/load/server.h"
#include "bench/proxy/affinity.h"
#include "workloads/load/generator.h"
#include "workloads/load/health.h"

namespace tare::load {
namespace {

constexpr int kGeneratorCpu = 0;
constexpr int kServerCpu = 1;
constexpr int64_t kWarmupNs = 300'000'000;
constexpr int64_t kMeasuredNs = 2'000'000'000;
constexpr uint64_t kSeed = 1;

struct Row {
  bool is_spinning;
  bool is_poisson;
  double rate;
};

double CpuSeconds() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

double QuantileUs(std::vector<int64_t> values, double q) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return static_cast<double>(values[static_cast<size_t>(at)]) / 1e3;
}

void Print(const Row& row, const Settings& settings, std::span<const Outcome> counted,
           double cpu_share, int64_t connections) {
  const Health health = Assess(counted, settings);
  std::vector<int64_t> service_ns, latency_ns;
  for (const Outcome& outcome : counted) {
    if (outcome.failure != Failure::kNone) continue;
    service_ns.push_back(outcome.ended_ns - outcome.sent_ns);
    latency_ns.push_back(outcome.ended_ns - outcome.intended_ns);
  }
  std::printf(
      "| %s | %s | %.0f | %.0f | %.2f | %.1f | %.1f | %.1f | %.1f | %.0f %% | %lld | %lld |\n",
      row.is_spinning ? "spin" : "sleep", row.is_poisson ? "poisson" : "constant", row.rate,
      health.rate_achieved, static_cast<double>(health.lag_p50_ns) / 1e3,
      static_cast<double>(health.lag_p99_ns) / 1e3, QuantileUs(service_ns, 0.5),
      QuantileUs(latency_ns, 0.5), QuantileUs(latency_ns, 0.99), cpu_share * 100,
      static_cast<long long>(connections), static_cast<long long>(health.failed()));
}

std::string Measure(const Row& row, const Address& server) {
  Settings settings;
  settings.server = server;
  settings.target = std::get<Target>(Target::Parse("/loan?member=U-{n%500}"));
  settings.method = "GET";
  settings.connections_max = 64;
  settings.timeout_ns = 1'000'000'000;
  settings.is_spinning = row.is_spinning;
  const auto count =
      static_cast<int64_t>(row.rate * static_cast<double>(kWarmupNs + kMeasuredNs) / 1e9);
  auto requests = Requests::Make(settings, count, kSeed);
  if (const auto* error = std::get_if<sdk::Error>(&requests)) return error->message;
  const SendTimes times =
      row.is_poisson ? PoissonTimes(row.rate, count, kSeed) : ConstantTimes(row.rate, count);
  Generator generator(&settings, &std::get<Requests>(requests), &times);
  const double cpu_begun = CpuSeconds();
  if (const auto error = generator.Run(static_cast<size_t>(count))) return error->message;
  const double cpu = CpuSeconds() - cpu_begun;
  const std::span<const Outcome> all(generator.outcomes());
  const double wall = static_cast<double>(all.back().ended_ns) / 1e9;
  const auto warmup = static_cast<size_t>(row.rate * static_cast<double>(kWarmupNs) / 1e9);
  Print(row, settings, all.subspan(warmup), cpu / wall, generator.connections_opened());
  return "";
}

int Main() {
  const bench::ReplyServer server(kServerCpu);
  bench::PinTo(kGeneratorCpu);
  const auto address = FindAddress(server.address());
  std::printf(
      "| wait | schedule | asked/s | achieved/s | lag p50 us | lag p99 us | service p50 us | "
      "latency p50 us | latency p99 us | own CPU | connections | failed |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const bool is_spinning : {false, true}) {
    for (const bool is_poisson : {false, true}) {
      for (const double rate : {500., 10'000., 50'000.}) {
        const std::string error =
            Measure({is_spinning, is_poisson, rate}, std::get<Address>(address));
        if (error.empty()) continue;
        std::fprintf(stderr, "tare_load_bench: %s\n", error.c_str());
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace tare::load

int main() { return tare::load::Main(); }
