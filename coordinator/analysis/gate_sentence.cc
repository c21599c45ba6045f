#include "coordinator/analysis/gate_sentence.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/units.h"
#include "coordinator/analysis/gate_result.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {
namespace {

std::string Word(absl::string_view metric, bool is_worse) {
  if (metric == "throughput") return is_worse ? "lower in throughput" : "higher in throughput";
  if (metric == "server-cpu") return is_worse ? "higher in server CPU" : "lower in server CPU";
  if (metric == "peak-memory") return is_worse ? "higher in peak memory" : "lower in peak memory";
  const absl::string_view speed = is_worse ? "slower" : "faster";
  if (metric == "latency" || metric == "wall") return std::string(speed);
  return absl::StrCat(speed, " at ", metric);
}

std::string SayVisible(const v1::GateResult& gate) {
  if (gate.has_visible_ns()) return FormatDuration(gate.visible_ns());
  return gate.has_visible() ? absl::StrFormat("%.3g %%", 100 * gate.visible()) : "";
}

}  // namespace

std::string WorseWord(absl::string_view metric) { return Word(metric, true); }
std::string BetterWord(absl::string_view metric) { return Word(metric, false); }

std::string SayBeyond(const v1::ReportComparison& comparison, const v1::Threshold& threshold) {
  if (comparison.gate().is_strict()) {
    return absl::StrCat("; exceeds ", FormatThreshold(threshold), " with 99 % confidence");
  }
  const bool is_worse =
      comparison.verdict() == v1::VERDICT_REGRESSION || comparison.verdict() == v1::VERDICT_SLOWER;
  return absl::StrCat("; above the threshold of ", FormatThreshold(threshold), ", ",
                      Word(comparison.metric(), is_worse), " with 99 % confidence");
}

std::string SayWithin(const v1::ReportComparison& comparison, const v1::Threshold& threshold,
                      absl::string_view difference) {
  const bool is_equivalent = comparison.verdict() == v1::VERDICT_EQUIVALENT;
  const std::string words = is_equivalent ? absl::StrCat("neither ", WorseWord(comparison.metric()),
                                                         " nor ", BetterWord(comparison.metric()))
                                          : absl::StrCat("not ", WorseWord(comparison.metric()));
  return absl::StrCat("'", comparison.candidate(), "' is ", words, " than '", comparison.baseline(),
                      "' by ", FormatThreshold(threshold), " or more, with 95 % ",
                      "confidence: ", difference);
}

std::string SayNotKnown(const v1::ReportComparison& comparison, const v1::Threshold& threshold,
                        absl::string_view difference, absl::string_view unit_noun) {
  const v1::GateResult& gate = comparison.gate();
  std::string text =
      absl::StrCat("whether '", comparison.candidate(), "' is ", WorseWord(comparison.metric()),
                   " than '", comparison.baseline(), "' by ", FormatThreshold(threshold),
                   " or more is not known: ", difference);
  if (gate.has_units_needed()) {
    absl::StrAppend(&text, "; unchanged, it would pass 9 times in 10 with ",
                    Count(gate.units_needed(), unit_noun));
  }
  const std::string visible = SayVisible(gate);
  if (!visible.empty()) {
    absl::StrAppend(&text, "; with ", Count(comparison.processes(), unit_noun), " a change of ",
                    visible, " is found 8 times in 10");
  }
  return text;
}

}  // namespace tare::coordinator
