// Reports as the analysis makes them, written by hand: one for each kind of answer.

#ifndef TARE_TESTS_REPORT_SAMPLE_REPORTS_H_
#define TARE_TESTS_REPORT_SAMPLE_REPORTS_H_

#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Those that have golden files.
v1::Report SlowerReport();       // three cells, every section filled
v1::Report ConfoundedReport();   // refused: order-confounded
v1::Report ProvisionalReport();  // inconclusive with 4 units
v1::Report GateReport();         // a regression of two programs, pairing rounds
v1::Report RoundTripsReport();   // two arms through a proxy, one established and one not
v1::Report RoundsReport();       // imported rounds, with all that is said of rounds alone
v1::Report NearlyEmptyReport();  // nothing could be computed

}  // namespace tare::coordinator

#endif  // TARE_TESTS_REPORT_SAMPLE_REPORTS_H_
