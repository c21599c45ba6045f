#include "coordinator/report/machine_look.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/units.h"
#include "coordinator/report/page.h"
#include "coordinator/report/table.h"
#include "coordinator/report/words.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

bool IsFinding(const v1::Check& check) {
  return check.status() == v1::CHECK_STATUS_WARNED || check.status() == v1::CHECK_STATUS_REFUSED;
}

std::string Quantity(bool is_present, double value, const std::string& unit) {
  if (!is_present) return "";
  return absl::StrCat(fmt::format("{:.4g}", value), unit.empty() ? "" : " ", unit);
}

void AddVerdict(const v1::Machine& machine, const std::vector<v1::Check>& checks, Page* page) {
  const auto findings = std::count_if(checks.begin(), checks.end(), IsFinding);
  const bool is_refused = std::any_of(checks.begin(), checks.end(), [](const v1::Check& check) {
    return check.status() == v1::CHECK_STATUS_REFUSED;
  });
  const std::string head = findings == 0 ? "QUIET" : is_refused ? "REFUSED" : "NOT QUIET";
  const Color color = findings == 0 ? Color::kGreen : is_refused ? Color::kRed : Color::kYellow;
  page->Item(0, static_cast<int>(head.size()), head,
             findings == 0
                 ? absl::StrCat("nothing on '", machine.host(), "' speaks against measuring now")
                 : absl::StrCat(findings, " of ", checks.size(), " checks on '", machine.host(),
                                "' speak against measuring now"),
             color);
  page->Text(
      0, absl::StrCat(machine.os(), ", Linux ", machine.kernel(), ", ", machine.cpus_count(),
                      " CPUs: ", machine.cpu_model(), ", ", FormatBytes(machine.memory_bytes())));
}

void AddTable(const std::vector<v1::Check>& checks, Page* page) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  std::vector<std::string> values;
  std::vector<std::string> limits;
  for (const v1::Check& check : checks) {
    names.push_back(check.name());
    words.push_back(StatusWord(check.status()));
    values.push_back(Quantity(check.has_value(), check.value(), check.unit()));
    limits.push_back(Quantity(check.has_limit(), check.limit(), check.unit()));
  }
  Table table(std::move(names), "check");
  table.Column("result", Align::kLeft, std::move(words));
  table.Column("value", Align::kRight, std::move(values));
  table.Column("limit", Align::kRight, std::move(limits));
  page->Blank();
  table.Print(2, page);
}

}  // namespace

std::string FormatMachineLook(const v1::Machine& machine, const std::vector<v1::Check>& checks,
                              const TerminalOptions& options) {
  Page page(options);
  AddVerdict(machine, checks, &page);
  AddTable(checks, &page);
  constexpr int kNameWidth = 16;
  if (std::any_of(checks.begin(), checks.end(), IsFinding)) page.Heading("What to do");
  for (const v1::Check& check : checks) {
    if (!IsFinding(check)) continue;
    page.Item(2, kNameWidth, check.name(),
              absl::StrCat(check.culprit(), check.culprit().empty() ? "" : ". ", check.advice()));
  }
  return page.text();
}

}  // namespace tare::coordinator
