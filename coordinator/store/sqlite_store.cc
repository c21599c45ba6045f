#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "base/status.h"
#include "coordinator/store/received_chunk.h"
#include "coordinator/store/schema.h"
#include "coordinator/store/sqlite.h"
#include "coordinator/store/sqlite_attempts.h"
#include "coordinator/store/sqlite_chunks.h"
#include "coordinator/store/sqlite_runs.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {
namespace {

// One connection behind one mutex: SQLite has a single writer anyway.
class SqliteStore : public Store {
 public:
  explicit SqliteStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  absl::Status AddRun(const std::string& run, int64_t created_unix_ns,
                      const v1::Experiment& experiment, const v1::Plan& plan) override {
    absl::MutexLock lock(&mutex_);
    return InsertRun(database_.get(), run, created_unix_ns, experiment, plan);
  }

  absl::Status SetRunState(const std::string& run, RunState state) override {
    absl::MutexLock lock(&mutex_);
    return UpdateRunState(database_.get(), run, state);
  }

  absl::StatusOr<std::vector<RunSummary>> ListRuns() override {
    absl::MutexLock lock(&mutex_);
    return SelectRuns(database_.get());
  }

  absl::StatusOr<std::string> ResolveRun(const std::string& name) override {
    absl::MutexLock lock(&mutex_);
    return coordinator::ResolveRun(database_.get(), name);
  }

  absl::StatusOr<StoredRun> LoadRun(const std::string& run) override {
    absl::MutexLock lock(&mutex_);
    return SelectRun(database_.get(), run);
  }

  absl::StatusOr<int32_t> AddAttempt(const std::string& run, int32_t trial,
                                     const std::string& agent, int64_t epoch) override {
    absl::MutexLock lock(&mutex_);
    return InsertAttempt(database_.get(), run, trial, agent, epoch);
  }

  absl::Status CloseAttempt(const std::string& run, int32_t trial, int32_t attempt,
                            const v1::TrialRecord& record) override {
    absl::MutexLock lock(&mutex_);
    return InsertClosing(database_.get(), run, trial, attempt, record);
  }

  absl::Status AddChunk(const v1::Chunk& chunk) override {
    ASSIGN_OR_RETURN(const ReceivedChunk received, CheckChunk(chunk));
    absl::MutexLock lock(&mutex_);
    return InsertChunk(database_.get(), chunk, received);
  }

  absl::StatusOr<std::vector<AttemptSummary>> ListAttempts(const std::string& run) override {
    absl::MutexLock lock(&mutex_);
    return SelectAttempts(database_.get(), run);
  }

  absl::Status ReadBlocks(
      const std::string& run, int32_t trial, int32_t attempt,
      const std::function<absl::Status(const std::string& role, const v1::SampleBlock&)>& visit)
      override {
    std::string role;
    int64_t sequence = -1;
    while (true) {
      ASSIGN_OR_RETURN(const std::optional<StoredBlock> stored,
                       NextBlock(run, trial, attempt, role, sequence));
      if (!stored.has_value()) return absl::OkStatus();
      RETURN_IF_ERROR(visit(stored->role, stored->block));
      role = stored->role;
      sequence = stored->sequence;
    }
  }

 private:
  absl::StatusOr<std::optional<StoredBlock>> NextBlock(const std::string& run, int32_t trial,
                                                       int32_t attempt, const std::string& role,
                                                       int64_t sequence) {
    absl::MutexLock lock(&mutex_);
    ASSIGN_OR_RETURN(const AttemptRow row, FindAttempt(database_.get(), run, trial, attempt));
    auto stored = SelectBlockAfter(database_.get(), row.attempt_id, role, sequence);
    if (!stored.ok()) return Annotate(stored.status(), AttemptName(run, trial, attempt));
    return stored;
  }

  absl::Mutex mutex_;
  const std::unique_ptr<Database> database_ ABSL_PT_GUARDED_BY(mutex_);
};

absl::Status CheckWritable(const std::string& store, const std::string& path) {
  if (faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) == 0) return absl::OkStatus();
  return MakeError(absl::StatusCode::kPermissionDenied,
                   absl::StrCat(store, " cannot be read and written"))
      .Detail(absl::StrCat("'", path, "': ", std::generic_category().message(errno)))
      .Try("ask its owner, or use another store with --store");
}

// What SQLite itself would only call "unable to open database file".
absl::Status CheckPath(const std::string& path) {
  const std::string store = absl::StrCat("store '", path, "'");
  const std::string parent = std::filesystem::path(path).parent_path();
  const std::string directory = parent.empty() ? std::string(".") : parent;
  struct stat status = {};
  if (stat(directory.c_str(), &status) != 0) {
    if (errno != ENOENT) return ErrnoError(errno, absl::StrCat(store, ": '", directory, "'"));
    return MakeError(absl::StatusCode::kNotFound, absl::StrCat(store, " cannot be created"))
        .Detail(absl::StrCat("directory '", directory, "' does not exist"))
        .Try(absl::StrCat("mkdir -p '", directory, "', or use another store with --store"));
  }
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("'", path, "' is not a tare store"))
          .Detail("it is a directory")
          .Try("name a file with --store; tare creates it");
    }
    RETURN_IF_ERROR(CheckWritable(store, path));
  }
  // The write-ahead log is a file beside the store.
  return CheckWritable(store, directory);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path,
                                                       absl::Duration lock_wait_max) {
  RETURN_IF_ERROR(CheckPath(path));
  ASSIGN_OR_RETURN(std::unique_ptr<Database> database, Database::Open(path, lock_wait_max));
  RETURN_IF_ERROR(PrepareSchema(database.get(), lock_wait_max));
  return std::make_unique<SqliteStore>(std::move(database));
}

}  // namespace tare::coordinator
