// Where results live: append-only, plan first, exactly once.
//
// One schema, back ends behind this interface, one contract suite (tests/store). Nothing is ever
// changed or deleted except a run's state and which attempt counts. All data that was reported
// committed survives the death of this process and of the machine.
//
// Thread-safe. Errors of all calls: Unavailable (the store is away or locked), ResourceExhausted
// (disk full), FailedPrecondition (schema newer than this tare, with both versions), DataLoss
// (stored bytes are corrupt), NotFound (no such run).

#ifndef TARE_COORDINATOR_STORE_STORE_H_
#define TARE_COORDINATOR_STORE_STORE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

enum class RunState {
  kRunning,    // being measured, or its coordinator died
  kComplete,   // every planned trial has a counted attempt
  kCancelled,  // stopped by a person; may be resumed
  kFailed,     // ended without a counted attempt for every trial
};
absl::string_view RunStateName(RunState state);

struct RunSummary {
  std::string run;   // "20261130-210836-k3f9": sorts by time
  std::string name;  // of the experiment
  int64_t created_unix_ns = 0;
  RunState state = RunState::kRunning;
  int32_t trials_planned = 0;
  int32_t trials_counted = 0;
  int64_t samples_count = 0;
};

struct StoredRun {
  RunSummary summary;
  v1::Experiment experiment;
  v1::Plan plan;
};

struct AttemptSummary {
  int32_t trial = 0;
  int32_t attempt = 0;
  std::string agent;
  int64_t epoch = 0;
  bool is_counted = false;  // complete by its manifest, and the one used
  bool has_record = false;
  v1::TrialRecord record;  // default when has_record is false (lost before it was delivered)
};

class Store {
 public:
  virtual ~Store() = default;

  // Writes experiment and plan; returns when they are committed. AlreadyExists for a known run.
  virtual absl::Status AddRun(const std::string& run, int64_t created_unix_ns,
                              const v1::Experiment& experiment, const v1::Plan& plan) = 0;
  virtual absl::Status SetRunState(const std::string& run, RunState state) = 0;

  // Newest first.
  virtual absl::StatusOr<std::vector<RunSummary>> ListRuns() = 0;

  // A run id, an unambiguous beginning of one, or "last". NotFound, or InvalidArgument when several
  // match.
  virtual absl::StatusOr<std::string> ResolveRun(const std::string& name) = 0;
  virtual absl::StatusOr<StoredRun> LoadRun(const std::string& run) = 0;

  // Opens the next attempt at a trial and returns its number, from 1.
  virtual absl::StatusOr<int32_t> AddAttempt(const std::string& run, int32_t trial,
                                             const std::string& agent, int64_t epoch) = 0;

  // Writes the record of an attempt that will deliver nothing more (its agent was lost).
  virtual absl::Status CloseAttempt(const std::string& run, int32_t trial, int32_t attempt,
                                    const v1::TrialRecord& record) = 0;

  // Keeps one chunk; returns when it is committed. The same chunk again is OK and changes nothing;
  // the same key with another crc, or a crc that does not fit the payload, is DataLoss. A manifest
  // that matches the chunks present closes the attempt and, if its record says COMPLETED and no
  // other attempt of the trial counts, makes it the one that counts; one that does not match is
  // DataLoss.
  virtual absl::Status AddChunk(const v1::Chunk& chunk) = 0;

  virtual absl::StatusOr<std::vector<AttemptSummary>> ListAttempts(const std::string& run) = 0;

  // Calls `visit` for every sample block of an attempt, in order of role and block. Stops at the
  // first error of `visit` and returns it.
  virtual absl::Status ReadBlocks(
      const std::string& run, int32_t trial, int32_t attempt,
      const std::function<absl::Status(const std::string& role, const v1::SampleBlock&)>& visit) = 0;
};

// Opens or creates a SQLite store. Additional errors: PermissionDenied, NotFound (no such
// directory), InvalidArgument (the file is not a tare store).
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_STORE_H_
