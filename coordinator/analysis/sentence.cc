#include "coordinator/analysis/sentence.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/units.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/gate_sentence.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {
namespace {

// "332 us [310 us, 354 us] (+55.2 % [+51.0 %, +59.4 %])", the deciding number first.
std::string FormatDifference(const v1::ReportComparison& comparison, v1::Pairing pairing) {
  const bool is_repeated = comparison.has_repeated_ratio();
  const std::string ratio =
      FormatRatio(is_repeated ? comparison.repeated_ratio() : comparison.ratio());
  if (!comparison.has_estimate()) return ratio;
  const std::string difference = FormatEstimate(
      comparison.has_repeated_estimate() ? comparison.repeated_estimate() : comparison.estimate());
  if (!comparison.ratio().has_value()) return difference;
  return pairing == v1::PAIRING_ROUNDS ? absl::StrCat(ratio, " (", difference, ")")
                                       : absl::StrCat(difference, " (", ratio, ")");
}

std::string SayRefused(const v1::ReportComparison& comparison, const v1::Report& report) {
  const v1::Refusal& refusal =
      report.refusals().empty() ? comparison.refusals(0) : report.refusals(0);
  return absl::StrCat("refused (", refusal.code(), "): ", refusal.measured(),
                      refusal.limit().empty() ? "" : "; needed: ", refusal.limit());
}

// What the interval leaves out: "not shown to differ" never means "the same".
std::string SayExcluded(const v1::ReportComparison& comparison, v1::Pairing pairing) {
  if (pairing == v1::PAIRING_ROUNDS && comparison.ratio().has_low()) {
    return absl::StrFormat(
        "a change above %+.2f %% and one below %+.2f %% are excluded with 95 %% confidence",
        100 * (comparison.ratio().high() - 1), 100 * (comparison.ratio().low() - 1));
  }
  return absl::StrCat("a difference above ", FormatDuration(comparison.estimate().high_ns()),
                      " and one below ", FormatDuration(comparison.estimate().low_ns()),
                      " are excluded with 95 % confidence");
}

bool HasFlag(const v1::ReportComparison& comparison, absl::string_view flag) {
  const auto& flags = comparison.flags();
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

// "4 processes"; of several hosts "6 processes on 3 hosts", or "3 hosts" where those are the units.
std::string CountUnits(const v1::ReportComparison& comparison, absl::string_view unit) {
  const std::string units = Count(comparison.processes(), unit);
  for (const v1::VarianceComponent& component : comparison.variance_components()) {
    if (component.level() != "host") continue;
    const std::string hosts = Count(component.units(), "host");
    return comparison.unit_of_inference() == "host" ? hosts : absl::StrCat(units, " on ", hosts);
  }
  return units;
}

std::string SayInconclusive(const v1::ReportComparison& comparison, const v1::Report& report,
                            size_t family_size) {
  const bool is_round = report.pairing() == v1::PAIRING_ROUNDS;
  const size_t units = static_cast<size_t>(comparison.processes());
  const bool has_few = units < kUnitsForVerdictMin || HasFlag(comparison, "provisional");
  if (has_few && !comparison.has_repeated_ratio()) {
    return absl::StrCat(CountUnits(comparison, is_round ? "round" : "process"),
                        " give only a provisional interval, ",
                        FormatDifference(comparison, report.pairing()), "; a verdict needs ",
                        kUnitsForVerdictMin);
  }
  if (report.has_threshold()) {
    return SayNotKnown(comparison, report.threshold(),
                       FormatDifference(comparison, report.pairing()),
                       is_round ? "round" : "process");
  }
  const bool is_shown_alone =
      is_round ? comparison.ratio().has_low() &&
                     (comparison.ratio().low() > 1 || comparison.ratio().high() < 1)
               : ExcludesZero(comparison.estimate());
  if (family_size > 1 && is_shown_alone) {
    return absl::StrFormat(
        "the 95 %% interval %s excludes no difference, but not among %d comparisons together "
        "(Holm, p %.3g)",
        FormatDifference(comparison, report.pairing()), family_size, comparison.p_adjusted());
  }
  return absl::StrCat("no difference is shown between '", comparison.candidate(), "' and '",
                      comparison.baseline(), "'; ", SayExcluded(comparison, report.pairing()));
}

std::string SayVerdict(const v1::ReportComparison& comparison, const v1::Report& report,
                       size_t family_size) {
  switch (comparison.verdict()) {
    case v1::VERDICT_REFUSED:
      return SayRefused(comparison, report);
    case v1::VERDICT_INCONCLUSIVE:
      return SayInconclusive(comparison, report, family_size);
    case v1::VERDICT_PASS:
    case v1::VERDICT_EQUIVALENT:
      return SayWithin(comparison, report.threshold(),
                       FormatDifference(comparison, report.pairing()));
    default:
      break;
  }
  const bool is_worse =
      comparison.verdict() == v1::VERDICT_SLOWER || comparison.verdict() == v1::VERDICT_REGRESSION;
  return absl::StrCat("'", comparison.candidate(), "' is ",
                      is_worse ? WorseWord(comparison.metric()) : BetterWord(comparison.metric()),
                      " than '", comparison.baseline(), "' by ",
                      FormatDifference(comparison, report.pairing()),
                      report.has_threshold() ? SayBeyond(comparison, report.threshold()) : "",
                      family_size > 1 ? ", also with Holm's adjustment" : "");
}

}  // namespace

std::string MakeSentence(const v1::ReportComparison& comparison, const v1::Report& report,
                         size_t family_size) {
  if (HasFlag(comparison, "unconfirmed")) {
    return absl::StrCat("unconfirmed: the regression of run ", report.confirms(),
                        " did not come again, now '", comparison.candidate(), "' differs from '",
                        comparison.baseline(), "' by ",
                        FormatDifference(comparison, report.pairing()));
  }
  const std::string verdict = SayVerdict(comparison, report, family_size);
  return HasFlag(comparison, "confirmed")
             ? absl::StrCat("confirmed, in a second session after run ", report.confirms(), ": ",
                            verdict)
             : verdict;
}

}  // namespace tare::coordinator
