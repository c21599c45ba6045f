#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/units.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

using Row = v1::ReportComparison;

std::string FormatValue(bool is_present, double value, absl::string_view unit) {
  if (!is_present) return kAbsent;
  if (unit == "1/s") return fmt::format("{:.4g}/s", value);
  if (unit == "bytes") return FormatBytes(static_cast<int64_t>(value));
  return FormatDuration(value);
}

std::string BaselineText(const Row& row) {
  return row.has_baseline_median_ns()
             ? FormatDuration(row.baseline_median_ns())
             : FormatValue(row.has_baseline_value(), row.baseline_value(), row.unit());
}

std::string CandidateText(const Row& row) {
  return row.has_candidate_median_ns()
             ? FormatDuration(row.candidate_median_ns())
             : FormatValue(row.has_candidate_value(), row.candidate_value(), row.unit());
}

// One-sided limits of the change for the worse.
std::string LimitText(bool has_share, double share, bool has_ns, double ns) {
  if (has_share) return fmt::format("{:+.2f} %", 100 * share);
  return has_ns ? FormatDuration(ns) : "";
}

std::string LowText(const Row& row) {
  const v1::GateResult& gate = row.gate();
  return LimitText(gate.has_low(), gate.low(), gate.has_low_ns(), gate.low_ns());
}

std::string HighText(const Row& row) {
  const v1::GateResult& gate = row.gate();
  return LimitText(gate.has_high(), gate.high(), gate.has_high_ns(), gate.high_ns());
}

// What the reading of the threshold says that the experiment did not choose.
std::string OtherReading(const Row& row) {
  if (!row.has_gate()) return "";
  return VerdictWord(row.gate().is_strict() ? row.gate().verdict_default()
                                            : row.gate().verdict_strict());
}

std::vector<std::string> Texts(const v1::Report& report, std::string (*text_of)(const Row&)) {
  std::vector<std::string> texts;
  for (const Row& row : report.comparisons()) texts.push_back(text_of(row));
  return texts;
}

std::string LabelOf(const Row& row) {
  const bool is_closed =
      std::find(row.flags().begin(), row.flags().end(), "closed-loop") != row.flags().end();
  return absl::StrCat(row.candidate(), " against ", row.baseline(), ", ", row.metric(),
                      is_closed ? " of a closed loop" : "", row.has_cell() ? ", " : "", row.cell());
}

std::string ThresholdText(const v1::Threshold& threshold) {
  std::string text = "threshold ";
  if (threshold.has_relative_ppm()) {
    text += fmt::format("{:.4g} %", static_cast<double>(threshold.relative_ppm()) / 1e4);
  }
  if (threshold.has_absolute_ns()) {
    absl::StrAppend(&text, threshold.has_relative_ppm() ? " and " : "",
                    FormatDuration(static_cast<double>(threshold.absolute_ns())));
  }
  return absl::StrCat(text, threshold.strict() == v1::SWITCH_ON ? ", strict" : "");
}

void AddTable(const v1::Report& report, Page* page) {
  const bool is_strict = report.threshold().strict() == v1::SWITCH_ON;
  std::vector<Range> ratios;
  for (const Row& row : report.comparisons()) {
    ratios.push_back(RangeOf(row.has_repeated_ratio() ? row.repeated_ratio() : row.ratio()));
  }
  const Scale scale = Scale::ForPercent(ValuesOf(ratios));
  Table table(Texts(report, LabelOf), "metric");
  table.Column("baseline", Align::kRight, Texts(report, BaselineText));
  table.Column("candidate", Align::kRight, Texts(report, CandidateText));
  table.Column("change\n% [95 % interval]", Align::kLeft, FormatRanges(ratios, scale));
  table.Column("worse by\nmore than", Align::kRight, Texts(report, LowText));
  table.Column("worse by\nless than", Align::kRight, Texts(report, HighText));
  table.Column(is_strict ? "by default" : "if strict", Align::kLeft, Texts(report, OtherReading));
  table.Print(2, page);
}

void AddRule(const v1::Report& report, Page* page) {
  if (report.comparisons().empty() || !report.has_threshold()) return;
  const v1::GateResult& gate = report.comparisons(0).gate();
  if (!gate.rule().empty()) page->Text(2, absl::StrCat(gate.rule(), "."));
  if (gate.has_low_confidence()) {
    page->Text(2, fmt::format("\"more than\" holds with {:.4g} %, \"less than\" with {:.4g} % "
                              "confidence, each alone.",
                              100 * gate.low_confidence(), 100 * gate.high_confidence()));
  }
}

}  // namespace

void AddGate(const v1::Report& report, Page* page) {
  if (!report.has_threshold() && !report.has_stop() && report.work().empty()) {
    const bool is_latency_only = std::all_of(
        report.comparisons().begin(), report.comparisons().end(),
        [](const Row& row) { return row.metric() == "latency" || row.metric() == "wall"; });
    if (is_latency_only) return;
  }
  page->Heading(absl::StrCat("What is compared", report.has_threshold() ? ", " : "",
                             report.has_threshold() ? ThresholdText(report.threshold()) : ""));
  AddTable(report, page);
  AddRule(report, page);
  if (!report.has_stop()) return;
  page->Text(2, absl::StrCat(report.stop().text(), ". The interval of the change ",
                             report.stop().is_open_ended()
                                 ? "is a confidence sequence: it holds however often one looks."
                                 : "is a repeated one: it holds over all looks together."));
}

}  // namespace tare::coordinator
