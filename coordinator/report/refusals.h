// What the words of a report mean: refusal codes, flags and verdicts.
//
// The one place where they are explained: `tare explain` prints it and docs/refusals.md is made of
// it. It decides nothing; the rules are carried out by coordinator/analysis and the agent.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_REPORT_REFUSALS_H_
#define TARE_COORDINATOR_REPORT_REFUSALS_H_

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {

struct Explanation {
  absl::string_view code;
  absl::string_view title;
  absl::string_view meaning;
  absl::string_view rule;    // how it is decided, with the limit
  absl::string_view action;  // what to do
};

// Sorted by code. Codes are stable: scripts rely on them.
std::span<const Explanation> Refusals();
// Remarks that stand beside a verdict and do not change it.
std::span<const Explanation> Flags();
std::span<const Explanation> Verdicts();

// The explanation of a refusal code, flag or verdict word (upper or lower case), in lines of at
// most 80 columns. NotFound for any other word, with the near code, if there is one, and all codes.
absl::StatusOr<std::string> ExplainCode(absl::string_view code);

// docs/refusals.md.
std::string RefusalsDocument();

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_REFUSALS_H_
