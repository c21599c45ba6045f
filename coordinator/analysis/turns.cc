#include "coordinator/analysis/turns.h"

#include <algorithm>

#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {
namespace {

struct Sums {
  int64_t operations = 0;
  int64_t turns = 0;
  int64_t client_writes = 0;
  int64_t postgres_round_trips = 0;
  bool is_postgres = true;
};

// The arm whose operations wash out: the baseline of the first comparison, or the only one that the
// process has.
uint32_t WashoutArm(const v1::Plan& plan, uint32_t arm) {
  if (plan.pairing() == v1::PAIRING_ROUNDS) return arm;
  for (int i = 0; plan.comparisons_size() > 0 && i < plan.arms_size(); ++i) {
    if (plan.arms(i).name() == plan.comparisons(0).baseline()) return static_cast<uint32_t>(i);
  }
  return 0;
}

const v1::ProxyCounters* CountersOf(const v1::SampleBlock& block, const v1::Service& proxy) {
  for (const v1::ProxyCounters& counters : block.evidence().proxies()) {
    if (counters.service() == proxy.name()) return &counters;
  }
  return nullptr;
}

std::optional<double> PerOperation(int64_t count, int64_t operations) {
  if (operations == 0) return std::nullopt;
  return static_cast<double>(count) / static_cast<double>(operations);
}

std::vector<std::string> DistinctArms(const v1::Plan& plan, const std::vector<bool>& is_through) {
  std::vector<const v1::PlannedArm*> distinct;
  for (int i = 0; i < plan.arms_size(); ++i) {
    const v1::PlannedArm& arm = plan.arms(i);
    if (!is_through[static_cast<size_t>(i)]) continue;
    const bool is_known =
        std::any_of(distinct.begin(), distinct.end(),
                    [&](const v1::PlannedArm* other) { return HasSameSettings(arm, *other); });
    if (!is_known) distinct.push_back(&arm);
  }
  std::vector<std::string> names;
  for (const v1::PlannedArm* arm : distinct) names.push_back(arm->name());
  return names;
}

// Which arms' operations reach the proxy in the process that runs `arm`.
std::vector<bool> ArmsThrough(const RunData& data, const v1::Service& proxy, uint32_t arm) {
  std::vector<bool> is_through;
  for (int i = 0; i < data.plan.arms_size(); ++i) {
    const bool is_here =
        data.plan.pairing() != v1::PAIRING_ROUNDS || static_cast<uint32_t>(i) == arm;
    is_through.push_back(is_here && ServiceOf(data.experiment, data.plan.arms(i)) == proxy.name());
  }
  return is_through;
}

}  // namespace

bool HasSameSettings(const v1::PlannedArm& a, const v1::PlannedArm& b) {
  return std::equal(a.config().begin(), a.config().end(), b.config().begin(), b.config().end(),
                    [](const v1::ConfigValue& x, const v1::ConfigValue& y) {
                      return x.name() == y.name() && x.value_case() == y.value_case() &&
                             FormatConfigValue(x) == FormatConfigValue(y);
                    });
}

Turns CountTurns(const RunData& data, const v1::Service& proxy, uint32_t arm,
                 std::span<const UsedTrial* const> trials) {
  const v1::Plan& plan = data.plan;
  const std::vector<bool> is_through = ArmsThrough(data, proxy, arm);
  const int64_t washout = is_through[WashoutArm(plan, arm)] ? plan.washout() : 0;
  Sums sums;
  for (const UsedTrial* trial : trials) {
    const v1::ProxyEvidence* evidence = ProxyEvidenceOf(*trial, proxy);
    sums.is_postgres &= evidence != nullptr && evidence->total().has_postgres() &&
                        evidence->total().postgres().stopped().empty();
    for (const v1::SampleBlock& block : trial->data->blocks) {
      const v1::ProxyCounters* counters = CountersOf(block, proxy);
      if (block.is_warmup() || counters == nullptr) continue;
      for (uint32_t sampled : block.arm()) {
        sums.operations += washout + (is_through[sampled] ? std::max(1, plan.iterations()) : 0);
      }
      sums.turns += counters->turns();
      sums.client_writes += counters->client_writes();
      sums.postgres_round_trips += counters->postgres_round_trips();
    }
  }
  Turns turns;
  turns.turns = PerOperation(sums.turns, sums.operations);
  turns.client_writes = PerOperation(sums.client_writes, sums.operations);
  if (sums.is_postgres) {
    turns.postgres_round_trips = PerOperation(sums.postgres_round_trips, sums.operations);
  }
  turns.arms = DistinctArms(plan, is_through);
  return turns;
}

}  // namespace tare::coordinator
