#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "base/enum_word.h"
#include "base/units.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"

namespace tare::coordinator {
namespace {

constexpr int kHeadWidth = 10;

std::string DesignText(const v1::Report& report) {
  return absl::StrCat(
      "pairing ", YamlWord(v1::Pairing_descriptor()->FindValueByNumber(report.pairing())),
      ", order ", YamlWord(v1::Order_descriptor()->FindValueByNumber(report.order())), ", warm-up ",
      report.warmup(), " sets, washout ", report.washout(), ", pin ",
      report.pin().empty() ? "none" : absl::StrJoin(report.pin(), " "), ", gates ",
      YamlWord(v1::Gates_descriptor()->FindValueByNumber(report.gates())));
}

// Of what was measured elsewhere only this is known.
std::string ImportedText(const v1::Report& report) {
  return absl::StrCat(
      "pairing ", YamlWord(v1::Pairing_descriptor()->FindValueByNumber(report.pairing())),
      ", order ", YamlWord(v1::Order_descriptor()->FindValueByNumber(report.order())),
      "; all else was not recorded");
}

std::string CountsText(const v1::Report& report) {
  std::string text =
      absl::StrCat(report.rounds_counted(), " of ", report.rounds_planned(), " rounds, ",
                   report.trials_counted(), " of ", report.trials_planned(), " trials, ",
                   report.samples_count(), " samples");
  if (report.attempts_discarded() > 0) {
    absl::StrAppend(&text, ", ", report.attempts_discarded(), " attempts kept but not counted");
  }
  return text;
}

std::string TimeText(const v1::Report& report) {
  const absl::Time started = absl::FromUnixNanos(report.started_unix_ns());
  return absl::StrCat(absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", started, absl::UTCTimeZone()),
                      ", took ", FormatDuration(static_cast<double>(report.duration_ns())));
}

}  // namespace

void AddMethod(const v1::Report& report, Page* page) {
  page->Heading("How it was measured");
  page->Item(2, kHeadWidth, "design",
             report.sources().empty() ? DesignText(report) : ImportedText(report));
  page->Item(2, kHeadWidth, "counted", CountsText(report));
  if (report.started_unix_ns() > 0) page->Item(2, kHeadWidth, "when", TimeText(report));
  if (report.sources().empty()) page->Item(2, kHeadWidth, "seed", absl::StrCat(report.seed()));
  if (!report.version().empty()) {
    page->Item(2, kHeadWidth, "analysed", absl::StrCat("by tare ", report.version()));
  }
  if (report.warnings().empty()) return;
  page->Heading("Warnings");
  for (const std::string& warning : report.warnings()) page->Item(2, 1, "-", warning);
}

}  // namespace tare::coordinator
