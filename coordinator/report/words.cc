#include "coordinator/report/words.h"

#include <string>

#include "absl/strings/ascii.h"
#include "base/enum_word.h"

namespace tare::coordinator {

std::string VerdictWord(v1::Verdict verdict) {
  if (verdict == v1::VERDICT_UNSPECIFIED || !v1::Verdict_IsValid(verdict)) return "NO VERDICT";
  return absl::AsciiStrToUpper(EnumWord(v1::Verdict_descriptor()->FindValueByNumber(verdict)));
}

Color ColorOf(v1::Verdict verdict) {
  switch (verdict) {
    case v1::VERDICT_REGRESSION:
    case v1::VERDICT_REFUSED:
      return Color::kRed;
    case v1::VERDICT_IMPROVEMENT:
    case v1::VERDICT_FASTER:
    case v1::VERDICT_EQUIVALENT:
    case v1::VERDICT_PASS:
      return Color::kGreen;
    case v1::VERDICT_SLOWER:
    case v1::VERDICT_INCONCLUSIVE:
      return Color::kYellow;
    default:
      return Color::kNone;
  }
}

std::string StatusWord(v1::CheckStatus status) {
  switch (status) {
    case v1::CHECK_STATUS_PASSED:
      return "passed";
    case v1::CHECK_STATUS_WARNED:
      return "warned";
    case v1::CHECK_STATUS_REFUSED:
      return "refused";
    default:
      return "not run";
  }
}

}  // namespace tare::coordinator
