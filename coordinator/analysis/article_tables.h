// The tables of the published study of release gates, of any rounds of three arms, digit for digit
// as its own program prints them: so that a reader of the study can check tare's arithmetic, and
// read tare's own report beside the study's numbers.
//
// Not a report: it judges nothing. Its rule, the median of some rounds against a threshold, has no
// known error rate. Pure function, thread-safe.

#ifndef TARE_COORDINATOR_ANALYSIS_ARTICLE_TABLES_H_
#define TARE_COORDINATOR_ANALYSIS_ARTICLE_TABLES_H_

#include <string>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"

namespace tare::coordinator {

// `data` without warm-up: the tables set theirs apart themselves. InvalidArgument when it has not
// one baseline, control and candidate in rounds, enough complete rounds for the largest subset, or
// enough samples in every process for the last block.
absl::StatusOr<std::string> FormatArticleTables(const RunData& data);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_ARTICLE_TABLES_H_
