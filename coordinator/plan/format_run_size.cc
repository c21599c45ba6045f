#include "coordinator/plan/format_run_size.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/units.h"
#include "coordinator/plan/lines.h"
#include "fmt/format.h"
#include "stats/level_counts.h"

namespace tare::coordinator {
namespace {

absl::string_view UnitWord(const RunSizeText& text) {
  return text.pairing == v1::PAIRING_ROUNDS ? "round" : "process";
}

std::string WantedSize(const Wanted& wanted) {
  if (wanted.absolute_ns.has_value()) return FormatDurationExact(*wanted.absolute_ns);
  return fmt::format("{:g} %", static_cast<double>(*wanted.relative_ppm) / 1e4);
}

std::string WantedText(const Wanted& wanted) {
  if (wanted.kind == WantedKind::kEffect) {
    return absl::StrCat("find a difference of ", WantedSize(wanted), " with 80 % probability");
  }
  return absl::StrCat("a 95 % interval of ±", WantedSize(wanted), " or narrower");
}

std::string SizeText(const Wanted& wanted, const RunSize& run_size) {
  if (!run_size.size_ns.has_value()) return "no interval, which needs 3 at least";
  const std::string share =
      run_size.share.has_value() ? fmt::format(" ({:.3g} %)", 100 * *run_size.share) : "";
  const std::string size = FormatDuration(*run_size.size_ns);
  return wanted.kind == WantedKind::kEffect ? absl::StrCat("finds ", size, share)
                                            : absl::StrCat("±", size, share);
}

std::string SizeText(const RunSizeText& text, const Wanted& wanted, const RunSize& run_size) {
  return absl::StrCat(Counted(static_cast<int64_t>(run_size.units), UnitWord(text)), " of ",
                      Counted(static_cast<int64_t>(run_size.sets), "set"), ": ",
                      SizeText(wanted, run_size), ", about ", FormatLong(run_size.duration_ns));
}

std::string SpreadText(const RunSizeText& text, const PilotSpread& spread) {
  const std::string units = FormatDuration(std::sqrt(spread.unit_variance_ns2));
  std::string words =
      spread.set_variance_ns2.has_value()
          ? absl::StrCat("a set by ", FormatDuration(std::sqrt(*spread.set_variance_ns2)), ", a ",
                         UnitWord(text), " by ", units)
          : absl::StrCat("a ", UnitWord(text), " by ", units, ", with the sets that it has");
  return absl::StrCat(words, " (standard deviations of the difference ", spread.comparison, ")");
}

std::string CostText(const RunSizeText& text, const PilotCost& cost) {
  const std::string cells =
      text.cells_count > 1 ? absl::StrCat(" in each of ", text.cells_count, " cells") : "";
  return absl::StrCat("a ", UnitWord(text), cells, " takes ", FormatDuration(cost.unit_ns),
                      " to start, warm up and stop, and ", FormatDuration(cost.set_ns), " a set");
}

std::string OutOfReachText(const RunSizeText& text, const Wanted& wanted, const RunSize& best) {
  const absl::string_view key = text.pairing == v1::PAIRING_ROUNDS ? "rounds" : "processes";
  return absl::StrCat("no, even the most gives less: ", SizeText(text, wanted, best),
                      " (bounds: ", key, " at most ", text.units_max, ", useful sets at most ",
                      stats::kLevelCountMax, ")");
}

std::string Notes(const RunSizeText& text, std::span<const PilotSpread> spreads,
                  const RunSizePlan& plan) {
  std::string notes;
  const PilotSpread& spread = spreads[plan.demanding];
  if (!text.verdict_note.empty()) {
    absl::StrAppend(
        &notes, LabelLine("note", absl::StrCat("the pilot's report is refused (", text.verdict_note,
                                               "): cure that first")));
  }
  if (spread.units < kPilotUnitsMin) {
    absl::StrAppend(
        &notes,
        LabelLine("note", absl::StrCat("a pilot of ",
                                       Counted(static_cast<int64_t>(spread.units), UnitWord(text)),
                                       " knows its spread to a factor of about two; ",
                                       kPilotUnitsMin, " or more are better")));
  }
  if (spread.is_unit_clamped) {
    absl::StrAppend(&notes, LabelLine("note", absl::StrCat("the spread that a ", UnitWord(text),
                                                           " adds is clamped to 0: its estimate "
                                                           "was negative")));
  }
  if (!spread.set_variance_ns2.has_value()) {
    absl::StrAppend(&notes, LabelLine("note",
                                      "the pilot has too few sets to tell their spread; "
                                      "the number of sets stays as it is"));
  }
  return notes;
}

}  // namespace

std::string FormatRunSize(const RunSizeText& text, std::span<const PilotSpread> spreads,
                          const PilotCost& cost, const Wanted& wanted, const RunSizePlan& plan,
                          const RunSize& now) {
  const PilotSpread& spread = spreads[plan.demanding];
  const std::string pilot = absl::StrCat(
      "run ", text.run, ": ", Counted(static_cast<int64_t>(spread.units), UnitWord(text)), " of ",
      Counted(static_cast<int64_t>(text.pilot_sets), "set"));
  return absl::StrCat(
      text.experiment, "\n\n", LabelLine("wanted", WantedText(wanted)), LabelLine("pilot", pilot),
      LabelLine("spread", SpreadText(text, spread)), LabelLine("cost", CostText(text, cost)),
      plan.is_reachable ? LabelLine("cheapest", SizeText(text, wanted, plan.best))
                        : LabelLine("out of reach", OutOfReachText(text, wanted, plan.best)),
      LabelLine("as it is", SizeText(text, wanted, now)), Notes(text, spreads, plan));
}

}  // namespace tare::coordinator
