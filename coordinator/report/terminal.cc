#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/report/group.h"
#include "coordinator/report/page.h"
#include "coordinator/report/report.h"
#include "coordinator/report/sections.h"

namespace tare::coordinator {
namespace {

// A longer report scrolls its first lines away, so the verdict is said again at the end.
constexpr int kScreenLines = 24;

void AddAbout(const v1::Report& report, Page* page) {
  page->Blank();
  if (report.has_question()) page->Text(0, report.question());
  const std::string origin =
      report.sources().empty()
          ? absl::StrCat("experiment ", report.experiment(), ", run ", report.run())
          : absl::StrCat("measured elsewhere, from ", absl::StrJoin(report.sources(), ", "));
  page->Text(0, absl::StrCat(origin, ", exit code ", report.exit_code()));
}

}  // namespace

std::string FormatTerminal(const v1::Report& report, const TerminalOptions& options) {
  Page page(options);
  AddVerdict(report, &page);
  AddRefusals(report, &page);
  AddAbout(report, &page);
  AddGate(report, &page);
  AddWork(report, &page);
  AddLadder(report, &page);
  for (const Group& group : GroupsOf(report)) {
    AddComparisons(group, &page);
    AddOwnError(group, &page);
    if (IsLatency(group)) {
      AddOrder(group, &page);
      AddSteps(group, &page);
      AddSpread(group, &page);
    }
    AddComponents(group, &page);
  }
  AddRoundSpreads(report, &page);
  AddDecisionScans(report, &page);
  AddWarmUp(report, &page);
  AddRoundTrips(report, &page);
  AddConditions(report, &page);
  AddChecks(report, &page);
  AddMethod(report, &page);
  if (page.lines_count() > kScreenLines) {
    page.Blank();
    AddVerdict(report, &page);
  }
  return page.text();
}

}  // namespace tare::coordinator
