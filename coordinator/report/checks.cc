#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

// One check of either kind, ready to print.
struct Finding {
  std::string name;
  v1::CheckStatus status;
  std::string text;
};

std::string ValueText(double value, const std::string& unit) {
  return absl::StrCat(fmt::format("{:.4g}", value), unit.empty() ? "" : " ", unit);
}

std::string MachineText(const v1::MachineCheck& check) {
  std::vector<std::string> parts = {
      absl::StrCat("in ", check.trials_warned(), " of ", check.trials_count(), " trials")};
  if (check.has_value_worst()) {
    parts.push_back(absl::StrCat("worst ", ValueText(check.value_worst(), check.unit())));
  }
  if (check.has_limit()) {
    parts.push_back(absl::StrCat("limit ", ValueText(check.limit(), check.unit())));
  }
  if (!check.culprit().empty()) parts.push_back(check.culprit());
  if (!check.advice().empty()) parts.push_back(absl::StrCat("try: ", check.advice()));
  return absl::StrJoin(parts, "; ");
}

bool IsFound(v1::CheckStatus status) {
  return status == v1::CHECK_STATUS_WARNED || status == v1::CHECK_STATUS_REFUSED;
}

// Counts first, then what needs reading, then the names of what did not run.
void AddFindings(const std::string& title, const std::vector<Finding>& findings, Page* page) {
  if (findings.empty()) return;
  int passed = 0, warned = 0, refused = 0;
  std::vector<std::string> not_run;
  for (const Finding& finding : findings) {
    switch (finding.status) {
      case v1::CHECK_STATUS_PASSED:
        ++passed;
        break;
      case v1::CHECK_STATUS_WARNED:
        ++warned;
        break;
      case v1::CHECK_STATUS_REFUSED:
        ++refused;
        break;
      default:
        not_run.push_back(finding.name);
    }
  }
  page->Text(2, absl::StrCat(title, ": ", passed, " passed, ", warned, " warned, ", refused,
                             " refused, ", not_run.size(), " not run"));
  constexpr int kStatusWidth = 7;  // "refused"
  for (const Finding& finding : findings) {
    if (!IsFound(finding.status)) continue;
    page->Item(4, kStatusWidth, StatusWord(finding.status),
               absl::StrCat(finding.name, ": ", finding.text),
               finding.status == v1::CHECK_STATUS_REFUSED ? Color::kRed : Color::kYellow);
  }
  if (!not_run.empty()) page->Item(4, kStatusWidth, "not run", absl::StrJoin(not_run, ", "));
}

}  // namespace

void AddChecks(const v1::Report& report, Page* page) {
  std::vector<Finding> integrity, machine;
  for (const v1::IntegrityCheck& check : report.integrity()) {
    integrity.push_back({check.name(), check.status(), check.text()});
  }
  for (const v1::MachineCheck& check : report.machine_checks()) {
    machine.push_back({check.name(), check.worst(), MachineText(check)});
  }
  page->Heading("Checks");
  if (integrity.empty() && machine.empty()) page->Text(2, "not run");
  AddFindings("integrity", integrity, page);
  AddFindings("machine", machine, page);
}

}  // namespace tare::coordinator
