// What a gate says in words: where a comparison stands to the threshold.

#ifndef TARE_COORDINATOR_ANALYSIS_GATE_SENTENCE_H_
#define TARE_COORDINATOR_ANALYSIS_GATE_SENTENCE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// What a metric is called that is worse or better: "slower", "slower at p95", "lower in
// throughput".
std::string WorseWord(absl::string_view metric);
std::string BetterWord(absl::string_view metric);

// The end of a sentence that says a regression or improvement: ", above the threshold …".
std::string SayBeyond(const v1::ReportComparison& comparison, const v1::Threshold& threshold);

// Whole sentences for pass, equivalent and inconclusive. `difference` is the change in words.
std::string SayWithin(const v1::ReportComparison& comparison, const v1::Threshold& threshold,
                      absl::string_view difference);
std::string SayNotKnown(const v1::ReportComparison& comparison, const v1::Threshold& threshold,
                        absl::string_view difference, absl::string_view unit_noun);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_GATE_SENTENCE_H_
