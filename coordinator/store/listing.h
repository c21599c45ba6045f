// What `tare list` prints. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_STORE_LISTING_H_
#define TARE_COORDINATOR_STORE_LISTING_H_

#include <string>
#include <vector>

#include "coordinator/store/store.h"

namespace tare::coordinator {

// A table with a header, one line a run in the order given. Times are UTC.
std::string FormatRunTable(const std::vector<RunSummary>& runs);

// {"runs":[{"run":…}]} on one line, with the fields of RunSummary under their own names.
std::string FormatRunJson(const std::vector<RunSummary>& runs);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_LISTING_H_
