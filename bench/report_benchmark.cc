// A whole report of a sensitivity study, beside one naive bootstrap of as many pairs as one of its
// rungs has: 8 rungs of 10 processes of 300 sets, in both.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "coordinator/analysis/analysis.h"
#include "stats/resampled_median.h"
#include "tests/analysis/ladder_run.h"

namespace tare::coordinator {
namespace {

constexpr int kPairs = 3'000;
constexpr int kResamples = 2'000;

RunData Study() {
  LadderShape shape;
  shape.delays_ns = {0, 5'000, 10'000, 25'000, 50'000, 100'000, 250'000, 500'000};
  shape.sets = 300;
  shape.process_spread_ns = 2'000;
  return MakeLadderRun(shape);
}

void WholeReport(benchmark::State& state) {
  const RunData data = Study();
  for (auto _ : state) benchmark::DoNotOptimize(Analyse(data));
}
BENCHMARK(WholeReport)->Unit(benchmark::kMillisecond);

// What a report would do for one interval of one rung, and be wrong.
void NaiveBootstrapOfOneRung(benchmark::State& state) {
  Random random(1);
  std::vector<double> pairs(kPairs);
  for (double& pair : pairs) pair = random.Normal();
  std::vector<double> medians(kResamples);
  std::vector<double> resample(kPairs);
  for (auto _ : state) {
    for (double& median : medians) {
      for (double& value : resample) value = pairs[random.Below(kPairs)];
      const auto middle = resample.begin() + kPairs / 2;
      std::nth_element(resample.begin(), middle, resample.end());
      median = *middle;
    }
    std::sort(medians.begin(), medians.end());
    benchmark::DoNotOptimize(medians.data());
  }
}
BENCHMARK(NaiveBootstrapOfOneRung)->Unit(benchmark::kMillisecond);

// The same interval without resampling, sorting included and not.
void ExactBootstrapOfOneRung(benchmark::State& state) {
  Random random(1);
  std::vector<double> pairs(kPairs);
  for (double& pair : pairs) pair = random.Normal();
  std::vector<double> sorted = pairs;
  std::sort(sorted.begin(), sorted.end());
  const bool sorts = state.range(0) != 0;
  for (auto _ : state) {
    if (sorts) {
      sorted = pairs;
      std::sort(sorted.begin(), sorted.end());
    }
    benchmark::DoNotOptimize(stats::ResampledMedianInterval(sorted, 0.95));
  }
}
BENCHMARK(ExactBootstrapOfOneRung)->ArgName("sorts")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tare::coordinator
