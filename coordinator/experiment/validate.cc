#include "coordinator/experiment/validate.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/experiment/complaints.h"
#include "coordinator/experiment/proxy_delay.h"
#include "coordinator/experiment/scalar.h"
#include "coordinator/experiment/spelling.h"
#include "coordinator/experiment/validate_gate.h"
#include "coordinator/experiment/validate_ladder.h"
#include "coordinator/experiment/validate_services.h"

namespace tare::coordinator {
namespace {

using google::protobuf::RepeatedPtrField;

const v1::ConfigValue* FindConfig(const RepeatedPtrField<v1::ConfigValue>& config,
                                  const std::string& name) {
  for (const v1::ConfigValue& value : config) {
    if (value.name() == name) return &value;
  }
  return nullptr;
}

class Validator {
 public:
  Validator(const v1::Experiment& experiment, const PositionMap& positions, Violations* violations)
      : experiment_(experiment),
        complaints_(positions, violations),
        arms_(NamesOf(experiment.arms())),
        is_in_rounds_(experiment.design().pairing() == v1::PAIRING_ROUNDS) {}

  void CheckAll() {
    ValidateServices(experiment_, complaints_);
    ValidateGate(experiment_, complaints_);
    if (experiment_.has_ladder()) ValidateLadder(experiment_, complaints_);
    CheckArms();
    CheckRepeats();
    CheckPairing();
    CheckPin();
    CheckStudy();
    for (const v1::Factor& factor : experiment_.sweep()) {
      if (FindDelayedProxy(experiment_, factor.name()) != nullptr) {
        ValidateDelayFactor(experiment_, factor, complaints_);
      } else {
        CheckLevels(factor);
        CheckVaries(factor);
      }
    }
    CheckComparisons();
  }

 private:
  void CheckArms() {
    for (const v1::Arm& written : experiment_.arms()) {
      const std::string& arm = written.name();
      if (written.has_same_as() && arm == "control") continue;
      if (arm != "control" && arm != "known-delay" && !absl::StartsWith(arm, "control-of-") &&
          !absl::StartsWith(arm, "known-delay-of-")) {
        continue;
      }
      complaints_.AtKey(
          PathTo("arms", arm), "is a name that tare gives to an arm of its own",
          "control: the baseline measured again; known-delay: the baseline plus a known wait",
          "name the arm by what is different about it");
    }
    if (arms_.size() == 1 && experiment_.checks().control() == v1::SWITCH_OFF) {
      complaints_.AtKey("checks.control", "one arm has nothing else to be compared with",
                        "the control is that arm measured again",
                        "add a second arm, or set 'control: on'");
    }
  }

  // An arm with 'same_as' is a control: it repeats a baseline, in everything.
  void CheckRepeats() {
    std::set<std::string> repeated;
    for (const v1::Arm& arm : experiment_.arms()) {
      const std::string path = PathTo("arms", arm.name());
      const std::string key = PathTo(path, "same_as");
      if (!complaints_.IsWritten(key)) continue;
      for (const char* other : {"config", "command", "uses"}) {
        if (!complaints_.IsWritten(PathTo(path, other))) continue;
        complaints_.AtKey(PathTo(path, other), "does not go with 'same_as'",
                          "a control repeats the other arm in everything", "remove it");
      }
      CheckIsArm(arm.same_as(), key);
      if (!Contains(arms_, arm.same_as())) continue;
      if (!IsBaseline(arm.same_as())) {
        complaints_.AtValue(key,
                            absl::StrCat("no comparison has the baseline ", Quote(arm.same_as())),
                            "a control tests what the candidates are compared with");
      } else if (!repeated.insert(arm.same_as()).second) {
        complaints_.AtValue(key, absl::StrCat(Quote(arm.same_as()), " has a control already"));
      }
    }
  }

  bool IsBaseline(const std::string& arm) const {
    if (experiment_.compare().empty()) return arm == experiment_.arms(0).name();
    for (const v1::Comparison& comparison : experiment_.compare()) {
      if (comparison.baseline() == arm) return true;
    }
    return false;
  }

  // Keys that belong to the other pairing would be ignored.
  void CheckPairing() {
    const std::string pairing = "design.pairing";
    if (complaints_.IsWritten(pairing) && !experiment_.design().has_pairing()) return;
    if (experiment_.design().pairing() == v1::PAIRING_LOCKSTEP) {
      CheckLockstep();
      return;
    }
    if (is_in_rounds_) {
      RefuseKey("design.processes", "with 'pairing: rounds' the number of processes is 'rounds'",
                "write 'rounds'");
      if (experiment_.design().washout() > 0) {
        RefuseKey("design.washout", "with 'pairing: rounds' a process runs one arm only",
                  "remove it");
      }
      if (experiment_.design().order() == v1::ORDER_BALANCED) {
        complaints_.AtValue("design.order", "'balanced' needs 'pairing: in-process'",
                            "it orders the samples within a process", "write 'random'");
      }
      if (experiment_.checks().known_delay_ns() != 0) {
        complaints_.AtValue("checks.known_delay", "needs 'pairing: in-process'",
                            "nothing can delay the operations of another program by a known time",
                            "write 'off'");
      }
      return;
    }
    RefuseKey("design.rounds", "in process, each round is one process of 'processes'",
              "write 'processes', or set 'pairing: rounds'");
    for (const std::string& arm : arms_) {
      RefuseKey(PathTo(PathTo("arms", arm), "command"), "in process, one program hosts all arms",
                "tell the arms apart by 'config', or set 'pairing: lockstep'");
    }
  }

  void CheckLockstep() {
    RefuseKey("design.rounds", "in lockstep, each round is one process an arm of 'processes'",
              "write 'processes'");
    if (experiment_.design().washout() > 0) {
      RefuseKey("design.washout", "in lockstep a process runs one arm only", "remove it");
    }
    if (experiment_.design().order() == v1::ORDER_BALANCED) {
      complaints_.AtValue("design.order", "'balanced' needs 'pairing: in-process'",
                          "it orders the samples within a process", "write 'random'");
    }
  }

  void RefuseKey(const std::string& path, absl::string_view detail, absl::string_view action) {
    if (!complaints_.IsWritten(path)) return;
    const v1::Pairing pairing = experiment_.design().has_pairing() ? experiment_.design().pairing()
                                                                   : v1::PAIRING_IN_PROCESS;
    complaints_.AtKey(
        path,
        absl::StrCat("does not go with 'pairing: ",
                     WordOf(*v1::Pairing_descriptor()->FindValueByNumber(pairing)), "'"),
        detail, action);
  }

  void CheckPin() {
    const RepeatedPtrField<std::string>& pin = experiment_.design().pin();
    const std::string accepted = absl::StrCat(
        "accepted: none, same-core, other-core, or CPU numbers from 0 to ", kPinnedCpuMax);
    std::set<std::string> seen;
    for (int i = 0; i < pin.size(); ++i) {
      const std::string path = PathTo("design.pin", i);
      const bool is_word = pin[i] == "none" || pin[i] == "same-core" || pin[i] == "other-core";
      int32_t cpu = 0;
      if (is_word && pin.size() > 1) {
        complaints_.AtValue(path, absl::StrCat(Quote(pin[i]), " stands alone or not at all"),
                            accepted);
      } else if (!is_word && (!IsPlainInteger(pin[i]) || !absl::SimpleAtoi(pin[i], &cpu) ||
                              cpu < 0 || cpu > kPinnedCpuMax)) {
        complaints_.AtValue(path, absl::StrCat(Quote(pin[i]), " is not a place to run"), accepted,
                            NearAdvice(pin[i], {"none", "same-core", "other-core"}));
      } else if (!seen.insert(pin[i]).second) {
        complaints_.AtValue(path, absl::StrCat("CPU ", pin[i], " is listed twice"));
      }
    }
  }

  void CheckStudy() {
    for (int i = 0; i < experiment_.study_size(); ++i) {
      if (experiment_.study(i) == v1::ORDER_FIXED || experiment_.study(i) == v1::ORDER_BLOCKED) {
        continue;
      }
      complaints_.AtValue(PathTo("study", i), "this order has no bias to study",
                          "accepted: fixed, blocked");
    }
  }

  void CheckLevels(const v1::Factor& factor) {
    const std::string path = PathTo("sweep", factor.name());
    std::set<std::string> seen;
    for (int i = 0; i < factor.levels_size(); ++i) {
      const v1::ConfigValue& level = factor.levels(i);
      if (level.value_case() == v1::ConfigValue::VALUE_NOT_SET) continue;
      if (level.value_case() != factor.levels(0).value_case()) {
        complaints_.AtValue(PathTo(path, i), "is of another type than the first level",
                            "accepted: whole numbers, or decimals, or flags, or texts, or lists",
                            "write all levels alike: 1.0 and 2.5, not 1 and 2.5");
      } else if (!seen.insert(level.SerializeAsString()).second) {
        complaints_.AtValue(PathTo(path, i), "is the same as an earlier level");
      }
    }
  }

  // A level replaces a setting that the workload has in every arm, and must not erase what the arms
  // differ in.
  void CheckVaries(const v1::Factor& factor) {
    const std::string path = PathTo("sweep", factor.name());
    const bool is_common = FindConfig(experiment_.workload().config(), factor.name()) != nullptr;
    std::set<std::string> own_values;
    size_t own_count = 0;
    for (const v1::Arm& arm : experiment_.arms()) {
      const v1::ConfigValue* own = FindConfig(arm.config(), factor.name());
      if (own == nullptr) continue;
      ++own_count;
      own_values.insert(own->SerializeAsString());
    }
    if (own_values.size() > 1 || (is_common && own_count > 0)) {
      complaints_.AtKey(
          path, "would replace what the arms differ in",
          absl::StrCat("arms set '", factor.name(), "' themselves, and a level replaces that"),
          absl::StrCat("remove '", factor.name(), "' from the arms or from 'sweep'"));
    } else if (!is_common && own_count < arms_.size()) {
      complaints_.AtKey(
          path, "there is nothing to vary",
          absl::StrCat("neither the workload nor every arm has a setting '", factor.name(), "'"),
          NearestSetting(factor.name()));
    }
  }

  std::string NearestSetting(const std::string& name) const {
    std::vector<std::string> names = NamesOf(experiment_.workload().config());
    for (std::string& factor : DelayFactorNames(experiment_)) names.push_back(std::move(factor));
    const std::string near = NearAdvice(name, names);
    return near.empty()
               ? absl::StrCat("add '", name, "' to 'workload: config:' with its usual value")
               : near;
  }

  void CheckComparisons() {
    std::set<std::pair<std::string, std::string>> seen;
    for (int i = 0; i < experiment_.compare_size(); ++i) {
      const v1::Comparison& comparison = experiment_.compare(i);
      const std::string path = PathTo("compare", i);
      CheckIsArm(comparison.baseline(), PathTo(path, "baseline"));
      CheckIsArm(comparison.candidate(), PathTo(path, "candidate"));
      if (comparison.baseline().empty() || comparison.candidate().empty()) continue;
      if (comparison.baseline() == comparison.candidate()) {
        complaints_.AtValue(PathTo(path, "candidate"), "is the baseline itself",
                            "the comparison of an arm with itself is made by 'checks: control'");
      } else if (RepeatsAnother(comparison.candidate())) {
        complaints_.AtValue(PathTo(path, "candidate"), "is a control",
                            "it is compared with the arm that it repeats anyway",
                            "remove this comparison");
      } else if (!seen.insert({comparison.baseline(), comparison.candidate()}).second) {
        complaints_.AtValue(path, "is the same as an earlier comparison");
      }
    }
  }

  bool RepeatsAnother(const std::string& name) const {
    for (const v1::Arm& arm : experiment_.arms()) {
      if (arm.name() == name) return arm.has_same_as();
    }
    return false;
  }

  void CheckIsArm(const std::string& name, const std::string& path) {
    if (name.empty() || arms_.empty() || Contains(arms_, name)) return;
    complaints_.AtValue(path, absl::StrCat("there is no arm ", Quote(name)),
                        absl::StrCat("arms: ", absl::StrJoin(arms_, ", ")),
                        NearAdvice(name, arms_));
  }

  const v1::Experiment& experiment_;
  const Complaints complaints_;
  const std::vector<std::string> arms_;
  const bool is_in_rounds_;
};

}  // namespace

void Validate(const v1::Experiment& experiment, const PositionMap& positions,
              Violations* violations) {
  Validator(experiment, positions, violations).CheckAll();
}

}  // namespace tare::coordinator
