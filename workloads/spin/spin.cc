#include "workloads/spin/spin.h"

#include <algorithm>
#include <cstdio>

#include "workloads/sdk/cpp/clock.h"

namespace tare {
namespace {

constexpr int64_t kWorkUsMax = 10'000'000;
constexpr uint64_t kUnitStart = 0x9e3779b97f4a7c15;
constexpr int kUnitRounds = 32;  // about 50 ns a unit

// A chain in which every round needs the one before. noinline: one copy of the loop, calibrated and
// run at the same address, so that alignment cannot make them differ.
__attribute__((noinline)) uint64_t RunUnits(int64_t units, uint64_t expected) {
  uint64_t result = expected;
  for (int64_t i = 0; i < units; ++i) {
    uint64_t state = kUnitStart + (result - expected);  // zero, but only known once it is computed
    for (int round = 0; round < kUnitRounds; ++round) {
      state ^= state >> 29;
      state *= 0xbf58476d1ce4e5b9;
    }
    result = state;
  }
  return result;
}

// Nanoseconds of one unit: the fastest of many tries, the one that nothing disturbed.
double CalibrateUnitNs(uint64_t expected) {
  constexpr int kTries = 200;
  constexpr int64_t kUnits = 1'000;
  int64_t fastest_ns = INT64_MAX;
  for (int i = 0; i < kTries; ++i) {
    const int64_t start_ns = sdk::ClockNs();
    const uint64_t result = RunUnits(kUnits, expected);
    const int64_t elapsed_ns = sdk::ClockNs() - start_ns;
    if (result == expected) fastest_ns = std::min(fastest_ns, elapsed_ns);
  }
  return static_cast<double>(std::max<int64_t>(fastest_ns, 1)) / static_cast<double>(kUnits);
}

}  // namespace

sdk::About Spin::about() const {
  return {"tare-spin", "keeps one processor busy for a known time",
          "  work_us  microseconds of work in one operation; default 100\n"};
}

std::optional<sdk::Error> Spin::Setup(sdk::TrialSetup& setup) {
  const uint64_t expected = RunUnits(1, 0);
  const double unit_ns = CalibrateUnitNs(expected);
  for (sdk::Arm& arm : setup.arms) {
    const int64_t work_us = arm.config.Integer("work_us", 100, 0, kWorkUsMax);
    const double units = static_cast<double>(work_us) * 1000.0 / unit_ns + 0.5;
    arms_.push_back({std::max<int64_t>(static_cast<int64_t>(units), 1), expected, 0});
  }
  return std::nullopt;
}

std::optional<sdk::Error> Spin::Run(const sdk::Operation& operation, sdk::Steps& steps) {
  SpinArm& arm = arms_[static_cast<size_t>(operation.arm)];
  const int64_t first_half = arm.units / 2;
  arm.result = RunUnits(first_half, arm.result);
  steps.Middle();
  arm.result = RunUnits(arm.units - first_half, arm.result);
  if (operation.is_counted) arm.records += arm.units;
  return std::nullopt;
}

std::optional<sdk::Error> Spin::Collect(std::vector<sdk::Evidence>& evidence) {
  for (size_t i = 0; i < arms_.size(); ++i) {
    char checksum[17];
    std::snprintf(checksum, sizeof checksum, "%016llx",
                  static_cast<unsigned long long>(arms_[i].result));
    evidence[i].checksum = checksum;
    evidence[i].records = arms_[i].records;
  }
  return std::nullopt;
}

}  // namespace tare
