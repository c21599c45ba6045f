// What relays cost: direct, tare-proxy and its peers, interleaved in one run, with ratios.
//
// The client runs on one CPU, relay and server share another, so that a round trip crosses CPUs
// once each way whichever path it takes. Figures are medians over rounds of what the path had more
// than the direct one in the same round.

#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"
#include "base/random.h"
#include "bench/proxy/affinity.h"
#include "bench/proxy/path.h"
#include "bench/proxy/server.h"
#include "nlohmann/json.hpp"
#include "tests/proxy/sockets.h"

namespace tare::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Paths = std::vector<std::unique_ptr<Path>>;

constexpr int kClientCpu = 0;
constexpr int kRelayCpu = 1;
constexpr int kRounds = 21;
constexpr int kPings = 1000;
constexpr int kPingWarmup = 50;
constexpr size_t kPingBytes = 64;
constexpr int kBulkRounds = 7;
constexpr uint64_t kBulkBytes = uint64_t{256} << 20;
constexpr uint64_t kLineBytes = uint64_t{1} << 30;
constexpr char kLineDelay[] = "100ms";
constexpr int kDelayedPings = 400;
constexpr int kIdleConnections = 10'000;
constexpr rlim_t kDescriptors = 65'536;

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const auto at = static_cast<size_t>(q * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

double Median(const std::vector<double>& values) { return Quantile(values, 0.5); }

// Round-trip times in microseconds.
std::vector<double> PingPong(const UniqueFd& client, int count) {
  std::vector<double> times_us;
  const std::string ping(kPingBytes, 'p');
  for (int i = 0; i < kPingWarmup + count; ++i) {
    const Clock::time_point begun = Clock::now();
    SendAll(client, ping);
    if (Receive(client, kPingBytes).size() != kPingBytes) return {};
    const std::chrono::duration<double, std::micro> taken = Clock::now() - begun;
    if (i >= kPingWarmup) times_us.push_back(taken.count());
  }
  return times_us;
}

UniqueFd OpenEcho(const Path& path) {
  UniqueFd client = ConnectTo(path.address());
  SendAll(client, "e");
  return client;
}

// Every path once, in a new random order.
template <typename Visit>
void InRandomOrder(Random& random, const Paths& paths, Visit visit) {
  std::vector<const Path*> order;
  for (const auto& path : paths) order.push_back(path.get());
  random.Shuffle(std::span<const Path*>(order));
  for (const Path* path : order) visit(*path);
}

struct PingCost {
  double p50_us = 0;
  double added_p50_us = 0;
  double added_p99_us = 0;
};

std::map<std::string, PingCost> MeasurePings(const Paths& paths, Random& random) {
  std::map<std::string, UniqueFd> clients;
  for (const auto& path : paths) clients.emplace(path->name(), OpenEcho(*path));
  std::map<std::string, std::vector<double>> p50;
  std::map<std::string, std::vector<double>> p99;
  for (int round = 0; round < kRounds; ++round) {
    InRandomOrder(random, paths, [&](const Path& path) {
      const std::vector<double> times_us = PingPong(clients[path.name()], kPings);
      p50[path.name()].push_back(Quantile(times_us, 0.5));
      p99[path.name()].push_back(Quantile(times_us, 0.99));
    });
  }
  std::map<std::string, PingCost> costs;
  for (const auto& path : paths) {
    std::vector<double> added_p50;
    std::vector<double> added_p99;
    for (size_t round = 0; round < kRounds; ++round) {
      added_p50.push_back(p50[path->name()][round] - p50["direct"][round]);
      added_p99.push_back(p99[path->name()][round] - p99["direct"][round]);
    }
    costs[path->name()] = {Median(p50[path->name()]), Median(added_p50), Median(added_p99)};
  }
  return costs;
}

void PrintPings(const Paths& paths, const std::map<std::string, PingCost>& costs) {
  double best_p50 = 1e9;
  double best_p99 = 1e9;
  for (const char* peer : {"haproxy", "nginx stream"}) {
    const auto found = costs.find(peer);
    if (found == costs.end()) continue;
    best_p50 = std::min(best_p50, found->second.added_p50_us);
    best_p99 = std::min(best_p99, found->second.added_p99_us);
  }
  std::printf("\n%d-byte ping-pong, %d rounds of %d (us)\n", static_cast<int>(kPingBytes), kRounds,
              kPings);
  std::printf("  %-14s %9s %11s %11s %9s %9s\n", "path", "p50", "added p50", "added p99",
              "p50 : best", "p99 : best");
  for (const auto& path : paths) {
    const PingCost& cost = costs.at(path->name());
    std::printf("  %-14s %9.1f %11.1f %11.1f", path->name().c_str(), cost.p50_us, cost.added_p50_us,
                cost.added_p99_us);
    if (path->name() != "direct" && best_p50 < 1e9) {
      std::printf(" %10.2f %10.2f", cost.added_p50_us / best_p50, cost.added_p99_us / best_p99);
    }
    std::printf("\n");
  }
  std::printf("  best: of haproxy and nginx stream\n");
}

// Seconds until `bytes` have come from the server; 0 when they did not.
double TransferSeconds(const Path& path, uint64_t bytes) {
  const UniqueFd client = ConnectTo(path.address());
  std::string request = "s";
  request.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  std::string buffer(256 << 10, '\0');
  const Clock::time_point begun = Clock::now();
  SendAll(client, request);
  uint64_t received = 0;
  while (received < bytes) {
    const ssize_t count = recv(client.get(), buffer.data(), buffer.size(), 0);
    if (count <= 0) return 0;
    received += static_cast<uint64_t>(count);
  }
  const std::chrono::duration<double> taken = Clock::now() - begun;
  return taken.count();
}

void MeasureBulk(const Paths& paths, Random& random) {
  std::map<std::string, std::vector<double>> rates;
  for (int round = 0; round < kBulkRounds; ++round) {
    InRandomOrder(random, paths, [&](const Path& path) {
      const double seconds = TransferSeconds(path, kBulkBytes);
      rates[path.name()].push_back(seconds > 0 ? kBulkBytes / 1e9 / seconds : 0);
    });
  }
  std::printf("\nbulk to the client, %d rounds of %d MiB\n", kBulkRounds,
              static_cast<int>(kBulkBytes >> 20));
  std::printf("  %-14s %9s %10s %10s\n", "path", "GB/s", ": direct", ": haproxy");
  for (const auto& path : paths) {
    std::vector<double> to_direct;
    std::vector<double> to_haproxy;
    for (size_t round = 0; round < kBulkRounds; ++round) {
      const double rate = rates[path->name()][round];
      to_direct.push_back(rate / rates["direct"][round]);
      if (rates.count("haproxy") > 0) to_haproxy.push_back(rate / rates["haproxy"][round]);
    }
    std::printf("  %-14s %9.2f %10.2f", path->name().c_str(), Median(rates[path->name()]),
                Median(to_direct));
    if (!to_haproxy.empty()) std::printf(" %10.2f", Median(to_haproxy));
    std::printf("\n");
  }
}

// A transfer through a long line takes the delay longer, as long as the line fits into the bound.
void MeasureLongLine(const std::string& server) {
  std::printf("\n%d MiB through %s of delay\n", static_cast<int>(kLineBytes >> 20), kLineDelay);
  std::printf("  %-24s %9s %14s\n", "path", "s", "beyond no delay");
  double without = 0;
  const struct {
    const char* name;
    std::vector<std::string> arguments;
  } kCases[] = {{"no delay", {}},
                {"bound 256 MiB", {"--delay", kLineDelay}},
                {"bound 16 MiB", {"--delay", kLineDelay, "--held-bytes", "16MiB"}}};
  for (const auto& each : kCases) {
    const auto path = Path::TareProxy(each.name, server, kRelayCpu, each.arguments);
    if (!path->problem().empty()) continue;
    const double seconds = TransferSeconds(*path, kLineBytes);
    if (each.arguments.empty()) without = seconds;
    const nlohmann::json evidence = nlohmann::json::parse(path->StopForEvidence(), nullptr, false);
    std::printf("  %-24s %9.3f %14.3f   bound reached %lld times\n", each.name, seconds,
                seconds - without,
                evidence["total"]["to_client"]["bound_reached"].get<long long>());
  }
}

// How exactly delays are applied, by the relay's own evidence and through the whole path.
void MeasureDelays(const std::string& server, double relay_added_us) {
  std::printf("\napplied - asked (us), and what a round trip takes beyond direct + delay\n");
  std::printf("  %-22s %8s %8s %14s %10s\n", "delay", "p50", "p99", "path beyond", "CPU share");
  const auto direct = Path::Direct(server);
  const UniqueFd direct_client = OpenEcho(*direct);
  for (const char* spin : {"50us", "0"}) {
    for (const auto& [delay, delay_us] : std::initializer_list<std::pair<const char*, double>>{
             {"50us", 50}, {"250us", 250}, {"1ms", 1000}, {"5ms", 5000}}) {
      const auto path = Path::TareProxy(absl::StrCat(delay, ", spin ", spin), server, kRelayCpu,
                                        {"--delay", delay, "--spin", spin});
      if (!path->problem().empty()) continue;
      std::vector<double> beyond;
      {
        const UniqueFd client = OpenEcho(*path);
        for (int part = 0; part < 4; ++part) {
          const double direct_us = Median(PingPong(direct_client, kDelayedPings / 4));
          beyond.push_back(Median(PingPong(client, kDelayedPings / 4)) - direct_us - delay_us);
        }
      }
      const nlohmann::json evidence =
          nlohmann::json::parse(path->StopForEvidence(), nullptr, false);
      const nlohmann::json& late = evidence["total"]["to_client"]["late"];
      std::printf("  %-22s %8.2f %8.1f %14.1f %9.1f%%\n", path->name().c_str(),
                  late["p50_ns"].get<double>() / 1e3, late["p99_ns"].get<double>() / 1e3,
                  Median(beyond),
                  100 * evidence["cpu_ns"].get<double>() / evidence["uptime_ns"].get<double>());
    }
  }
  std::printf("  the relay without delay, in the same run: %.1f beyond direct\n", relay_added_us);
}

// Resident memory in MB, from /proc/PID/status.
double ResidentMegabytes(pid_t pid) {
  const std::string status = ReadFile(absl::StrCat("/proc/", pid, "/status")).value_or("");
  for (absl::string_view line : absl::StrSplit(status, '\n')) {
    long long kilobytes = 0;
    if (std::sscanf(std::string(line).c_str(), "VmRSS: %lld kB", &kilobytes) == 1) {
      return static_cast<double>(kilobytes) * 1024 / 1e6;
    }
  }
  return 0;
}

void MeasureIdle(const std::string& server) {
  const auto path = Path::TareProxy("idle", server, kRelayCpu, {});
  std::vector<UniqueFd> clients;
  for (int i = 0; i < kIdleConnections; ++i) {
    clients.push_back(ConnectTo(path->address()));
    if (!clients.back().is_open()) break;
    // So that the server's backlog keeps up.
    if (i % 100 == 0) PingPong(OpenEcho(*path), 1);
  }
  std::printf("\n%zu idle connections: tare-proxy uses %.0f MB\n", clients.size(),
              ResidentMegabytes(path->pid()));
}

void RaiseDescriptorLimit() {
  rlimit limit = {kDescriptors, kDescriptors};
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0) return;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void Run() {
  RaiseDescriptorLimit();
  const Server server(kRelayCpu);
  PinTo(kClientCpu);
  Paths paths;
  paths.push_back(Path::Direct(server.address()));
  paths.push_back(Path::TareProxy("tare-proxy", server.address(), kRelayCpu, {}));
  paths.push_back(Path::Haproxy(server.address(), kRelayCpu));
  paths.push_back(Path::Nginx(server.address(), kRelayCpu));
  paths.push_back(Path::Socat(server.address(), kRelayCpu));
  std::printf("client on CPU %d; relay and server on CPU %d; load average %s\n", kClientCpu,
              kRelayCpu, ReadFile("/proc/loadavg").value_or("unknown\n").c_str());
  for (const auto& path : paths) {
    if (path->problem().empty()) continue;
    std::printf("%s: not run (%s)\n", path->name().c_str(), path->problem().c_str());
  }
  std::erase_if(paths, [](const auto& path) { return !path->problem().empty(); });
  Random random(1);
  const std::map<std::string, PingCost> costs = MeasurePings(paths, random);
  PrintPings(paths, costs);
  MeasureBulk(paths, random);
  MeasureDelays(server.address(), costs.at("tare-proxy").added_p50_us);
  MeasureLongLine(server.address());
  MeasureIdle(server.address());
}

}  // namespace
}  // namespace tare::bench

int main() {
  tare::bench::Run();
  return 0;
}
