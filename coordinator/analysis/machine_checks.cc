#include "coordinator/analysis/machine_checks.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {
namespace {

bool HasRun(const v1::Check& check) {
  return check.status() != v1::CHECK_STATUS_NOT_RUN &&
         check.status() != v1::CHECK_STATUS_UNSPECIFIED;
}

bool IsBad(const v1::Check& check) {
  return check.status() == v1::CHECK_STATUS_WARNED || check.status() == v1::CHECK_STATUS_REFUSED;
}

// Orders looks from harmless to grave; limits may be upper or lower ones, so distance decides.
double Gravity(const v1::Check& check) {
  const double distance =
      check.has_value() && check.has_limit() ? std::abs(check.value() - check.limit()) : 0;
  switch (check.status()) {
    case v1::CHECK_STATUS_REFUSED:
    case v1::CHECK_STATUS_WARNED:
      return distance;
    case v1::CHECK_STATUS_PASSED:
      return -distance;
    default:
      return 0;
  }
}

int Rank(v1::CheckStatus status) {
  switch (status) {
    case v1::CHECK_STATUS_REFUSED:
      return 3;
    case v1::CHECK_STATUS_WARNED:
      return 2;
    case v1::CHECK_STATUS_PASSED:
      return 1;
    default:
      return 0;
  }
}

bool IsWorse(const v1::Check& a, const v1::Check& b) {
  if (Rank(a.status()) != Rank(b.status())) return Rank(a.status()) > Rank(b.status());
  return Gravity(a) > Gravity(b);
}

v1::MachineCheck Aggregate(const RunData& data, const std::string& name) {
  v1::MachineCheck result;
  result.set_name(name);
  const v1::Check* worst = nullptr;
  for (const TrialData& trial : data.trials) {
    bool has_run = false;
    bool is_bad = false;
    for (const v1::Check& check : trial.record.checks()) {
      if (check.name() != name) continue;
      has_run |= HasRun(check);
      is_bad |= IsBad(check);
      if (worst == nullptr || IsWorse(check, *worst)) worst = &check;
    }
    result.set_trials_count(result.trials_count() + has_run);
    result.set_trials_warned(result.trials_warned() + is_bad);
  }
  result.set_worst(worst->status());
  if (worst->has_value()) result.set_value_worst(worst->value());
  if (worst->has_limit()) result.set_limit(worst->limit());
  result.set_unit(worst->unit());
  result.set_culprit(worst->culprit());
  result.set_advice(worst->advice());
  return result;
}

std::string Describe(const v1::Check& check) {
  std::string text = check.name();
  if (check.has_value()) {
    absl::StrAppend(&text, " ", check.value(), check.unit().empty() ? "" : " ", check.unit());
  }
  if (!check.culprit().empty()) absl::StrAppend(&text, " (", check.culprit(), ")");
  return text;
}

Finding CheckCause(const RunData& data, const std::string& code) {
  Breaches breaches(code);
  const v1::Check* worst = nullptr;
  int trials_bad = 0;
  for (const TrialData& trial : data.trials) {
    bool is_bad = false;
    for (const v1::Check& check : trial.record.checks()) {
      if (check.refusal() != code || !HasRun(check)) continue;
      is_bad |= IsBad(check);
      if (worst == nullptr || IsWorse(check, *worst)) worst = &check;
    }
    trials_bad += is_bad;
  }
  if (worst == nullptr) return NotRun(code, "no check of it ran");
  if (!IsBad(*worst)) return Passed(code, "every check of it passed");
  const std::string text = absl::StrCat(Describe(*worst), " in ", Count(trials_bad, "trial"));
  const bool is_refused =
      worst->status() == v1::CHECK_STATUS_REFUSED && data.experiment.gates() == v1::GATES_STRICT;
  if (!is_refused) {
    Finding finding = Passed(code, text);
    finding.check.set_status(v1::CHECK_STATUS_WARNED);
    return finding;
  }
  breaches.Add(text, worst->has_limit() ? absl::StrCat(worst->limit(), " ", worst->unit()) : "");
  return breaches.Refuse(worst->advice());
}

}  // namespace

std::vector<v1::MachineCheck> AggregateMachineChecks(const RunData& data) {
  std::vector<std::string> names;
  for (const TrialData& trial : data.trials) {
    for (const v1::Check& check : trial.record.checks()) {
      if (std::find(names.begin(), names.end(), check.name()) == names.end()) {
        names.push_back(check.name());
      }
    }
  }
  std::vector<v1::MachineCheck> results;
  for (const std::string& name : names) results.push_back(Aggregate(data, name));
  return results;
}

std::vector<Finding> CheckCauses(const RunData& data) {
  std::vector<std::string> codes = {"not-idle", "throttled"};
  for (const TrialData& trial : data.trials) {
    for (const v1::Check& check : trial.record.checks()) {
      if (check.refusal().empty() || check.status() != v1::CHECK_STATUS_REFUSED) continue;
      if (std::find(codes.begin(), codes.end(), check.refusal()) == codes.end()) {
        codes.push_back(check.refusal());
      }
    }
  }
  std::vector<Finding> findings;
  for (const std::string& code : codes) findings.push_back(CheckCause(data, code));
  return findings;
}

}  // namespace tare::coordinator
