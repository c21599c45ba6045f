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
#include "absl/time/time.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

// Of a chunk's payload.
inline constexpr int64_t kChunkBytesMax = 512 << 10;

enum class RunState {
  kRunning,    // being measured, or its coordinator died
  kComplete,   // every planned trial has a counted attempt, or the plan let it end at a look
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
  int64_t samples_count = 0;  // of the counted attempts, warm-up included
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
  // Requires: `experiment` holds no secrets (the password of a dsn is removed); all of it is kept.
  virtual absl::Status AddRun(const std::string& run, int64_t created_unix_ns,
                              const v1::Experiment& experiment, const v1::Plan& plan) = 0;
  virtual absl::Status SetRunState(const std::string& run, RunState state) = 0;

  // Newest first.
  virtual absl::StatusOr<std::vector<RunSummary>> ListRuns() = 0;

  // A run id, an unambiguous beginning of one, or "last". NotFound, or InvalidArgument when several
  // match.
  virtual absl::StatusOr<std::string> ResolveRun(const std::string& name) = 0;
  virtual absl::StatusOr<StoredRun> LoadRun(const std::string& run) = 0;

  // Opens the next attempt at a trial and returns its number, from 1. InvalidArgument for a trial
  // that the plan does not have.
  virtual absl::StatusOr<int32_t> AddAttempt(const std::string& run, int32_t trial,
                                             const std::string& agent, int64_t epoch) = 0;

  // Writes the record of an attempt that will deliver nothing more (its agent was lost). The first
  // one stands; a record that the agent delivers after all takes precedence over it.
  virtual absl::Status CloseAttempt(const std::string& run, int32_t trial, int32_t attempt,
                                    const v1::TrialRecord& record) = 0;

  // Keeps one chunk; returns when it is committed. The same chunk again is OK and changes nothing;
  // the same key with another crc, or a crc that does not fit the payload, is DataLoss. A manifest
  // that matches the chunks present (its own excepted) closes the attempt and, if its record says
  // COMPLETED and no other attempt of the trial counts, makes it the one that counts. DataLoss for
  // a manifest that does not match, a completed record with another samples_count than was
  // delivered, a second record, and any new chunk after the manifest. InvalidArgument for a payload
  // that is longer than kChunkBytesMax or is not what kind and count say, and for an epoch that is
  // not the attempt's. NotFound for an attempt that was never opened.
  virtual absl::Status AddChunk(const v1::Chunk& chunk) = 0;

  virtual absl::StatusOr<std::vector<AttemptSummary>> ListAttempts(const std::string& run) = 0;

  // Calls `visit` for every sample block of an attempt, in order of role and block. A block too
  // large for a chunk comes in several pieces of the same block number, the first of which has the
  // evidence. Stops at the first error of `visit` and returns it. Holds one piece in memory at a
  // time; `visit` may call the store.
  virtual absl::Status ReadBlocks(
      const std::string& run, int32_t trial, int32_t attempt,
      const std::function<absl::Status(const std::string& role, const v1::SampleBlock&)>&
          visit) = 0;
};

// Opens or creates a SQLite store. Any number of processes may have it open; every call waits at
// most `lock_wait_max` for another one that writes. Additional errors: PermissionDenied (not
// readable and writable), NotFound (no such directory), InvalidArgument (the file is not a tare
// store).
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(
    const std::string& path, absl::Duration lock_wait_max = absl::Seconds(10));

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_STORE_H_
