// One process at a time makes or migrates a store.
//
// SQLite's own locks do not cover the switch to a write-ahead log, so two processes that create the
// same store at once would wait for each other. The lock is on the store's directory and leaves no
// file behind; readers and writers of a store that is ready never take it.
//
// Not thread-safe; the destructor releases it.

#ifndef TARE_COORDINATOR_STORE_CREATION_LOCK_H_
#define TARE_COORDINATOR_STORE_CREATION_LOCK_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/unique_fd.h"

namespace tare::coordinator {

class CreationLock {
 public:
  // Waits at most `wait_max`: Unavailable. Otherwise as errno says when the directory of `store`
  // cannot be opened.
  static absl::StatusOr<CreationLock> Take(const std::string& store, absl::Duration wait_max);

 private:
  explicit CreationLock(UniqueFd directory) : directory_(std::move(directory)) {}

  UniqueFd directory_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_CREATION_LOCK_H_
