// The verdict in words, with its reason.

#ifndef TARE_COORDINATOR_ANALYSIS_SENTENCE_H_
#define TARE_COORDINATOR_ANALYSIS_SENTENCE_H_

#include <cstddef>
#include <string>

#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// One sentence for a judged comparison. `report` gives pairing and the refusals of the run;
// `family_size` is the number of comparisons and cells that share the error rate.
std::string MakeSentence(const v1::ReportComparison& comparison, const v1::Report& report,
                         size_t family_size);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_SENTENCE_H_
