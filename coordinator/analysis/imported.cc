#include "coordinator/analysis/imported.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {
namespace {

int64_t ErrorsOf(const TrialData& trial) {
  int64_t errors = 0;
  for (const v1::Process& process : trial.record.processes()) {
    for (const v1::ArmEvidence& evidence : process.arms()) {
      for (const v1::Counter& counter : evidence.counters()) {
        if (counter.name() == "errors") errors += counter.value();
      }
    }
  }
  return errors;
}

}  // namespace

std::vector<Finding> FindingsOfImported() {
  constexpr char kWhy[] = "the data were measured elsewhere and come without this evidence";
  std::vector<Finding> findings;
  for (const char* code : {"no-work", "different-work", "config-not-applied", "identity-missing"}) {
    findings.push_back(NotRun(code, kWhy));
  }
  return findings;
}

std::vector<std::string> WarningsOfImported(const RunData& data) {
  std::vector<std::string> warnings;
  if (data.sources.empty()) return warnings;
  if (data.plan.pairing() == v1::PAIRING_ROUNDS && data.plan.order() == v1::ORDER_UNSPECIFIED) {
    warnings.push_back(
        "the order of the arms within the rounds was not recorded: if one of them always came "
        "first, that is part of the difference");
  }
  int64_t errors = 0;
  int trials = 0;
  for (const TrialData& trial : data.trials) {
    errors += ErrorsOf(trial);
    trials += ErrorsOf(trial) > 0 ? 1 : 0;
  }
  if (errors > 0) {
    warnings.push_back(absl::StrCat(Count(errors, "operation"), " in ", Count(trials, "trial"),
                                    " failed: their times are not among the samples"));
  }
  return warnings;
}

}  // namespace tare::coordinator
