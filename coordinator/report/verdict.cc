#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"

namespace tare::coordinator {
namespace {

// What an undecided comparison does tell: how large the difference is not.
std::string Exclusion(const v1::Estimate& estimate) {
  const Range range = RangeOf(estimate);
  if (!range.low || !range.high) return "";
  std::vector<std::string> parts;
  if (*range.high >= 0)
    parts.push_back(absl::StrCat("slower by more than ", FormatOne(range.high)));
  if (*range.low <= 0)
    parts.push_back(absl::StrCat("faster by more than ", FormatOne(-*range.low)));
  return absl::StrCat(" Excluded (95 %): ", absl::StrJoin(parts, ", "), ".");
}

std::string Sentence(const v1::ReportComparison& comparison) {
  std::string text = comparison.sentence();
  if (text.empty()) text = absl::StrCat(comparison.candidate(), " against ", comparison.baseline());
  if (comparison.has_cell()) text = absl::StrCat(comparison.cell(), ": ", text);
  if (comparison.verdict() == v1::VERDICT_INCONCLUSIVE) {
    if (text.back() != '.') text += '.';
    text += Exclusion(comparison.estimate());
  }
  return text;
}

bool HasMixedVerdicts(const v1::Report& report) {
  return std::any_of(report.comparisons().begin(), report.comparisons().end(),
                     [&report](const v1::ReportComparison& comparison) {
                       return comparison.verdict() != report.verdict();
                     });
}

std::string Codes(const v1::Report& report) {
  std::vector<std::string> codes;
  for (const v1::Refusal& refusal : report.refusals()) codes.push_back(refusal.code());
  return absl::StrJoin(codes, ", ");
}

// What the run's own verdict is, where its comparisons do not say it.
std::string Summary(const v1::Report& report) {
  if (!report.refusals().empty()) return absl::StrCat("the whole run: ", Codes(report));
  if (report.has_ladder()) return absl::StrJoin(report.ladder().texts(), " ");
  if (report.comparisons().empty()) return "nothing was compared";
  return HasMixedVerdicts(report)
             ? absl::StrCat("the worst of ", report.comparisons_size(), " comparisons")
             : "";
}

void AddRefusal(const v1::Refusal& refusal, absl::string_view where, Page* page) {
  constexpr int kLabelWidth = 8;  // "measured"
  page->Blank();
  page->Item(0, WidthOf("refused:"), "refused:",
             where.empty() ? refusal.code() : absl::StrCat(refusal.code(), " (", where, ")"),
             Color::kRed);
  page->Item(2, kLabelWidth, "measured", refusal.measured().empty() ? kAbsent : refusal.measured());
  page->Item(2, kLabelWidth, "limit", refusal.limit().empty() ? kAbsent : refusal.limit());
  if (!refusal.advice().empty()) page->Item(2, kLabelWidth, "try", refusal.advice());
  page->Item(2, kLabelWidth, "more", absl::StrCat("tare explain ", refusal.code()));
}

std::string Where(const v1::ReportComparison& comparison, const v1::Refusal& refusal) {
  if (!refusal.where().empty()) return refusal.where();
  return absl::StrCat(comparison.candidate(), " against ", comparison.baseline(),
                      comparison.has_cell() ? ", " : "", comparison.cell());
}

}  // namespace

void AddVerdict(const v1::Report& report, Page* page) {
  const std::string summary = Summary(report);
  const std::string run_word = VerdictWord(report.verdict());
  int width = WidthOf(run_word);
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    width = std::max(width, WidthOf(VerdictWord(comparison.verdict())));
  }
  if (!summary.empty()) page->Item(0, width, run_word, summary, ColorOf(report.verdict()));
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    page->Item(0, width, VerdictWord(comparison.verdict()), Sentence(comparison),
               ColorOf(comparison.verdict()));
  }
}

void AddRefusals(const v1::Report& report, Page* page) {
  bool is_any = false;
  for (const v1::Refusal& refusal : report.refusals()) {
    AddRefusal(refusal, refusal.where(), page);
    is_any = true;
  }
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    for (const v1::Refusal& refusal : comparison.refusals()) {
      AddRefusal(refusal, Where(comparison, refusal), page);
      is_any = true;
    }
  }
  if (!is_any) return;
  page->Blank();
  page->Text(0, "Refused numbers are shown below to find the cause. Do not rely on them.");
}

}  // namespace tare::coordinator
