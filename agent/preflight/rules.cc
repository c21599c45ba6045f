#include "agent/preflight/rules.h"

namespace tare::agent {
namespace {

constexpr char kBlocksSay[] = "the trial's own processes are in it; its blocks carry the figures";

constexpr Rule kRules[] = {
    {.name = "cpu-busy",
     .look = LookAtBusyCpu,
     .limit = 3,
     .unit = "%",
     .refusal = "not-idle",
     .advice = "stop the named process, or wait until it has finished",
     .is_passing = true,
     .not_after = kBlocksSay},
    {.name = "load",
     .look = LookAtLoad,
     .limit = 1,
     .unit = "per CPU",
     .refusal = "",
     .advice = "wait a minute; the load lags behind, so cpu-busy decides",
     .not_after = kBlocksSay},
    {.name = "pressure-cpu",
     .look = LookAtPressureCpu,
     .limit = 5,
     .unit = "%",
     .refusal = "not-idle",
     .advice = "stop what competes for the CPUs",
     .is_passing = true,
     .not_after = kBlocksSay},
    {.name = "pressure-io",
     .look = LookAtPressureIo,
     .limit = 5,
     .unit = "%",
     .refusal = "not-idle",
     .advice = "stop what keeps the disks busy",
     .is_passing = true,
     .not_after = kBlocksSay},
    {.name = "pressure-memory",
     .look = LookAtPressureMemory,
     .limit = 5,
     .unit = "%",
     .refusal = "not-idle",
     .advice = "end programs that hold much memory",
     .is_passing = true},
    {.name = "steal",
     .look = LookAtSteal,
     .limit = 1,
     .unit = "%",
     .refusal = "not-idle",
     .advice = "use a host, or a guest with CPUs of its own",
     .is_passing = true},
    {.name = "throttling",
     .look = LookAtThrottling,
     .limit = 0,
     .unit = "ms",
     .refusal = "throttled",
     .advice = "raise the CPU limit of this container (cpu.max or cpu.cfs_quota_us), or remove it",
     .is_passing = true},
    {.name = "swap",
     .look = LookAtSwap,
     .limit = 0,
     .unit = "pages",
     .refusal = "not-idle",
     .advice = "end programs that hold much memory, or run 'swapoff -a'",
     .is_passing = true},
    {.name = "clock-source",
     .look = LookAtClockSource,
     .limit = {},
     .unit = "",
     .refusal = "clock-too-coarse",
     .advice = "write 'tsc' to /sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {.name = "clock-tick",
     .look = LookAtClockTick,
     .limit = 200,
     .unit = "ns",
     .refusal = "clock-too-coarse",
     .advice = "choose another clock source, as for clock-source"},
    {.name = "cpu-governor",
     .look = LookAtGovernor,
     .limit = 0,
     .unit = "CPUs",
     .refusal = "throttled",
     .advice = "run 'cpupower frequency-set --governor performance'"},
    {.name = "turbo",
     .look = LookAtTurbo,
     .limit = {},
     .unit = "",
     .refusal = "throttled",
     .advice = "switch turbo off: write 1 to intel_pstate/no_turbo, or 0 to cpufreq/boost"},
    {.name = "thermal",
     .look = LookAtThermal,
     .limit = 0,
     .unit = "events",
     .refusal = "throttled",
     .advice = "cool the machine, or lower its clock rate until it stays cool",
     .is_passing = true},
    {.name = "disk",
     .look = LookAtDisk,
     .limit = 1024,
     .unit = "MiB",
     .refusal = "",
     .advice = "free space there, or give another data directory"},
    {.name = "memory",
     .look = LookAtMemory,
     .limit = 256,
     .unit = "MiB",
     .refusal = "not-idle",
     .advice = "end programs that hold much memory"},
};

}  // namespace

std::span<const Rule> Rules() { return kRules; }

v1::Check Judge(const Rule& rule, const Look& look, v1::Gates gates, v1::CheckPhase phase) {
  const bool is_silent = phase == v1::CHECK_PHASE_POSTFLIGHT && !rule.not_after.empty();
  const Finding finding =
      is_silent ? Finding::NotRun(rule.not_after) : rule.look(look, rule.limit.value_or(0));
  v1::Check check;
  check.set_name(std::string(rule.name));
  check.set_phase(phase);
  check.set_unit(std::string(rule.unit));
  check.set_refusal(std::string(rule.refusal));
  if (rule.limit.has_value()) check.set_limit(*rule.limit);
  if (finding.value.has_value()) check.set_value(*finding.value);
  if (!finding.is_run) {
    check.set_status(v1::CHECK_STATUS_NOT_RUN);
    check.set_culprit(finding.culprit);
    return check;
  }
  if (finding.is_fit) {
    check.set_status(v1::CHECK_STATUS_PASSED);
    return check;
  }
  const bool is_refused = gates == v1::GATES_STRICT && !rule.refusal.empty();
  check.set_status(is_refused ? v1::CHECK_STATUS_REFUSED : v1::CHECK_STATUS_WARNED);
  check.set_culprit(finding.culprit);
  check.set_advice(std::string(rule.advice));
  return check;
}

}  // namespace tare::agent
