#include "coordinator/analysis/work.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "coordinator/analysis/process_metric.h"
#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {
namespace {

std::set<uint32_t> ArmsOf(const UsedTrial& trial) {
  return {trial.samples.arms.begin(), trial.samples.arms.end()};
}

std::string NameArm(const v1::Plan& plan, const UsedTrial& trial, absl::string_view arm) {
  return absl::StrCat("arm '", arm, "' in ", NameTrial(plan, *trial.planned));
}

void CheckArmWork(const v1::Plan& plan, const UsedTrial& trial, uint32_t arm, Breaches* breaches) {
  const std::string& name = plan.arms(static_cast<int>(arm)).name();
  const std::string where = NameArm(plan, trial, name);
  const v1::ArmEvidence* evidence = EvidenceOf(trial, name);
  if (evidence == nullptr) {
    breaches->Add(absl::StrCat(where, " gave no evidence of work"), "evidence of every arm");
    return;
  }
  const int64_t timed =
      static_cast<int64_t>(trial.samples.IndicesOf(arm).size()) * std::max(1, plan.iterations());
  if (evidence->operations() < timed) {
    breaches->Add(absl::StrCat(where, " counted ", evidence->operations(), " operations"),
                  absl::StrCat("at least the ", timed, " that were timed"));
  } else if (evidence->records() == 0 && evidence->checksum().empty()) {
    breaches->Add(absl::StrCat(where, " has no record and no checksum to show"), "one of them");
  }
}

// Numbers are compared as numbers: not every runtime keeps integers apart.
bool IsSameValue(const v1::ConfigValue& a, const v1::ConfigValue& b) {
  const auto number = [](const v1::ConfigValue& value) -> std::optional<double> {
    if (value.value_case() == v1::ConfigValue::kInteger) {
      return static_cast<double>(value.integer());
    }
    if (value.value_case() == v1::ConfigValue::kReal) return value.real();
    return std::nullopt;
  };
  if (number(a).has_value() && number(b).has_value()) return number(a) == number(b);
  return a.value_case() == b.value_case() && FormatConfigValue(a) == FormatConfigValue(b) &&
         a.list().values_size() == b.list().values_size();
}

const v1::ConfigValue* FindSetting(
    const google::protobuf::RepeatedPtrField<v1::ConfigValue>& settings, const std::string& name) {
  for (const v1::ConfigValue& setting : settings) {
    if (setting.name() == name) return &setting;
  }
  return nullptr;
}

void CheckSetting(const std::string& where, const v1::ConfigValue& asked,
                  const v1::ArmEvidence* evidence, Breaches* breaches) {
  const v1::ConfigValue* echoed =
      evidence == nullptr ? nullptr : FindSetting(evidence->config(), asked.name());
  const std::string limit = absl::StrCat(asked.name(), "=", FormatConfigValue(asked));
  if (echoed == nullptr) {
    breaches->Add(absl::StrCat(where, " did not echo '", asked.name(), "'"), limit);
  } else if (!IsSameValue(asked, *echoed)) {
    breaches->Add(absl::StrCat(where, " runs with ", asked.name(), "=", FormatConfigValue(*echoed)),
                  limit);
  }
}

}  // namespace

const v1::ArmEvidence* EvidenceOf(const UsedTrial& trial, absl::string_view arm) {
  for (const v1::Process& process : trial.data->record.processes()) {
    for (const v1::ArmEvidence& evidence : process.arms()) {
      if (evidence.arm() == arm) return &evidence;
    }
  }
  return nullptr;
}

Finding CheckWorkDone(const v1::Plan& plan, const Rounds& rounds) {
  if (rounds.trials.empty()) return NotRun("no-work", "no trial is complete");
  Breaches breaches("no-work");
  for (const UsedTrial& trial : rounds.trials) {
    for (uint32_t arm : ArmsOf(trial)) CheckArmWork(plan, trial, arm, &breaches);
  }
  if (breaches.empty()) return Passed("no-work", "every arm shows the work of its samples");
  return breaches.Refuse("make the workload do and count its operations in every arm");
}

Finding CheckSameWork(std::span<const CellComparison> comparisons) {
  Breaches breaches("different-work");
  int compared = 0;
  for (const CellComparison& comparison : comparisons) {
    const v1::PlannedComparison& planned = *comparison.planned;
    for (const Unit& unit : comparison.units) {
      const v1::ArmEvidence* baseline = EvidenceOf(*unit.baseline_trial, planned.baseline());
      const v1::ArmEvidence* candidate = EvidenceOf(*unit.candidate_trial, planned.candidate());
      if (baseline == nullptr || candidate == nullptr) continue;
      if (ServerOf(*unit.candidate_trial) != nullptr &&
          baseline->operations() != candidate->operations()) {
        breaches.Add(absl::StrCat(candidate->operations(), " operations of '", planned.candidate(),
                                  "' in round ", unit.round),
                     absl::StrCat(baseline->operations(), " of '", planned.baseline(), "'"));
        continue;
      }
      if (baseline->checksum().empty() || candidate->checksum().empty()) continue;
      ++compared;
      if (baseline->checksum() == candidate->checksum()) continue;
      breaches.Add(absl::StrCat("checksum '", candidate->checksum(), "' of '", planned.candidate(),
                                "' in round ", unit.round),
                   absl::StrCat("'", baseline->checksum(), "' of '", planned.baseline(), "'"));
    }
  }
  if (!breaches.empty()) {
    return breaches.Refuse("compare arms that return the same result for the same input");
  }
  if (compared == 0) return NotRun("different-work", "no two compared arms gave a checksum");
  return Passed("different-work", "the checksums of compared arms agree");
}

Finding CheckConfigApplied(const RunData& data, const Rounds& rounds) {
  const v1::Plan& plan = data.plan;
  if (rounds.trials.empty()) return NotRun("config-not-applied", "no trial is complete");
  Breaches breaches("config-not-applied");
  for (const UsedTrial& trial : rounds.trials) {
    const v1::Cell& cell = plan.cells(trial.planned->cell());
    for (uint32_t arm : ArmsOf(trial)) {
      const v1::PlannedArm& planned = plan.arms(static_cast<int>(arm));
      const v1::ArmEvidence* evidence = EvidenceOf(trial, planned.name());
      const std::string where = NameArm(plan, trial, planned.name());
      for (const v1::ConfigValue& level : cell.levels()) {
        if (IsProxyDelay(data.experiment, level.name())) continue;
        CheckSetting(where, level, evidence, &breaches);
      }
      for (const v1::ConfigValue& setting : planned.config()) {
        if (FindSetting(cell.levels(), setting.name()) != nullptr) continue;
        CheckSetting(where, setting, evidence, &breaches);
      }
    }
  }
  if (breaches.empty()) {
    return Passed("config-not-applied", "every arm echoed the settings that were asked");
  }
  return breaches.Refuse("make the workload apply and echo the setting, or remove it");
}

std::vector<std::string> CountFailures(const Rounds& rounds) {
  constexpr absl::string_view kPrefix = "errors_";
  constexpr char kOfWarmUp[] = "errors_warmup";
  int64_t failures = 0;
  int trials = 0;
  for (const UsedTrial& trial : rounds.trials) {
    int64_t of_trial = 0;
    for (const v1::Process& process : trial.data->record.processes()) {
      for (const v1::ArmEvidence& evidence : process.arms()) {
        for (const v1::Counter& counter : evidence.counters()) {
          const bool is_failure =
              absl::StartsWith(counter.name(), kPrefix) && counter.name() != kOfWarmUp;
          if (is_failure) of_trial += counter.value();
        }
      }
    }
    failures += of_trial;
    trials += of_trial > 0 ? 1 : 0;
  }
  if (failures == 0) return {};
  return {absl::StrCat(Count(failures, "request"), " in ", Count(trials, "trial"),
                       " failed, as 'errors_max' allows: each counts with its timeout at least")};
}

bool IsClosedLoop(const CellComparison& comparison) {
  for (const Unit& unit : comparison.units) {
    const v1::ArmEvidence* evidence =
        EvidenceOf(*unit.baseline_trial, comparison.planned->baseline());
    if (evidence == nullptr) continue;
    for (const v1::Digest& digest : evidence->digests()) {
      if (digest.name() == "loop" && digest.value() == "closed") return true;
    }
  }
  return false;
}

std::vector<std::string> CompareDigests(std::span<const CellComparison> comparisons) {
  std::set<std::string> warnings;
  for (const CellComparison& comparison : comparisons) {
    const v1::PlannedComparison& planned = *comparison.planned;
    for (const Unit& unit : comparison.units) {
      const v1::ArmEvidence* baseline = EvidenceOf(*unit.baseline_trial, planned.baseline());
      const v1::ArmEvidence* candidate = EvidenceOf(*unit.candidate_trial, planned.candidate());
      if (baseline == nullptr || candidate == nullptr) continue;
      for (const v1::Digest& digest : baseline->digests()) {
        for (const v1::Digest& other : candidate->digests()) {
          if (digest.name() != other.name() || digest.value() == other.value()) continue;
          warnings.insert(absl::StrCat("'", planned.baseline(), "' and '", planned.candidate(),
                                       "' differ in their ", digest.name()));
        }
      }
    }
  }
  return {warnings.begin(), warnings.end()};
}

}  // namespace tare::coordinator
