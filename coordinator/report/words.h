// Enum values as words. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_REPORT_WORDS_H_
#define TARE_COORDINATOR_REPORT_WORDS_H_

#include <string>

#include "coordinator/report/page.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// "REGRESSION", …; "NO VERDICT" when unspecified.
std::string VerdictWord(v1::Verdict verdict);
Color ColorOf(v1::Verdict verdict);

// "passed", "warned", "refused" or "not run", which unspecified is too.
std::string StatusWord(v1::CheckStatus status);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_WORDS_H_
