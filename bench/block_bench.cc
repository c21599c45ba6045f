// What the measuring loop itself costs: an empty operation through the real block, beside one pair
// of clock reads in the same run. The limit is 60 ns a sample.

#include "benchmark/benchmark.h"
#include "workloads/sdk/cpp/block.h"
#include "workloads/sdk/cpp/clock.h"

namespace tare::sdk {
namespace {

constexpr int kSamples = 10'000;

class Nothing : public Workload {
 public:
  About about() const override { return {}; }
  std::optional<Error> Setup(TrialSetup&) override { return std::nullopt; }
  std::optional<Error> Run(const Operation&, Steps&) override { return std::nullopt; }
  std::optional<Error> Collect(std::vector<Evidence>&) override { return std::nullopt; }
};

// per_sample is the time of the whole loop by the number of its samples.
void EmptySample(benchmark::State& state) {
  Nothing nothing;
  Block block(kSamples, 0);
  BlockRequest request;
  for (int i = 0; i < kSamples; ++i) request.arms.push_back(i % 2);
  request.arms_per_set = 2;
  for (auto _ : state) {
    if (block.Run(nothing, request).has_value()) state.SkipWithError("the workload failed");
  }
  state.counters["per_sample"] = benchmark::Counter(
      kSamples, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(EmptySample)->Unit(benchmark::kMicrosecond);

void ClockPair(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(ClockNs());
    benchmark::DoNotOptimize(ClockNs());
  }
}
BENCHMARK(ClockPair);

}  // namespace
}  // namespace tare::sdk

BENCHMARK_MAIN();
