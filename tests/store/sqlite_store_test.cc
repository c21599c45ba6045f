// The contract suite over SQLite in a file, and what only a file can suffer.

#include <fcntl.h>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/files.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "tests/store/store_contract.h"
#include "tests/temporary_directory.h"

namespace tare::coordinator {
namespace {

constexpr char kRun[] = "20261130-210836-k3f9";

class SqliteHome : public StoreHome {
 public:
  absl::StatusOr<std::unique_ptr<Store>> Open() override { return OpenSqliteStore(Name()); }
  std::string Name() const override { return directory_.Path("lab.db"); }

 private:
  TemporaryDirectory directory_;
};

std::unique_ptr<StoreHome> MakeSqliteHome() { return std::make_unique<SqliteHome>(); }

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract, testing::Values(&MakeSqliteHome));

// Plain SQLite, as another program would use it.
class RawDatabase {
 public:
  explicit RawDatabase(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &connection_), SQLITE_OK);
  }
  ~RawDatabase() { sqlite3_close(connection_); }

  // Rows as lines of '|'-separated text, as the sqlite3 shell prints them.
  std::string Query(const std::string& sql) {
    std::string rows;
    char* error = nullptr;
    const auto append_row = [](void* text, int columns_count, char** values, char**) {
      auto* lines = static_cast<std::string*>(text);
      for (int i = 0; i < columns_count; ++i) {
        absl::StrAppend(lines, i > 0 ? "|" : "", values[i] == nullptr ? "" : values[i]);
      }
      absl::StrAppend(lines, "\n");
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(connection_, sql.c_str(), append_row, &rows, &error), SQLITE_OK)
        << error;
    sqlite3_free(error);
    return rows;
  }

 private:
  sqlite3* connection_ = nullptr;
};

class SqliteStore : public testing::Test {
 protected:
  std::string OpenError(const std::string& path) {
    const absl::Status status = OpenSqliteStore(path).status();
    code_ = status.code();
    return absl::StrReplaceAll(FormatError(status), {{directory_.Path(""), "DIR/"}});
  }

  // A store with one counted attempt.
  std::string MakeStore() {
    const std::string path = directory_.Path("lab.db");
    const std::unique_ptr<Store> store = OpenSqliteStore(path).value();
    AddTestRun(*store, kRun, 2);
    EXPECT_TRUE(store->AddAttempt(kRun, 0, "local", 5).ok());
    for (const v1::Chunk& chunk : MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED)) {
      EXPECT_EQ(store->AddChunk(chunk), absl::OkStatus());
    }
    return path;
  }

  TemporaryDirectory directory_;
  absl::StatusCode code_ = absl::StatusCode::kOk;
};

TEST_F(SqliteStore, RefusesAStoreOfANewerTare) {
  const std::string path = MakeStore();
  RawDatabase(path).Query("PRAGMA user_version = 7");
  EXPECT_EQ(OpenError(path),
            "store 'DIR/lab.db' has schema 7, this tare understands up to 1\n"
            "  try: upgrade tare, or open another store with --store");
  EXPECT_EQ(code_, absl::StatusCode::kFailedPrecondition);
}

TEST_F(SqliteStore, RefusesTheDatabaseOfAnotherProgramAndLeavesItAlone) {
  const std::string path = directory_.Path("contacts.db");
  RawDatabase(path).Query("CREATE TABLE contact (name TEXT)");
  const std::string before = ReadFile(path).value();
  EXPECT_EQ(OpenError(path),
            "'DIR/contacts.db' is not a tare store\n"
            "  detail: it is the SQLite database of another program\n"
            "  try: name another file with --store; tare creates it");
  EXPECT_EQ(code_, absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadFile(path).value(), before);
}

TEST_F(SqliteStore, RefusesAFileThatIsNoDatabase) {
  const std::string path = directory_.Path("notes.txt");
  ASSERT_EQ(WriteFile(path, std::string(2000, 'n')), absl::OkStatus());
  EXPECT_EQ(OpenError(path),
            "'DIR/notes.txt' is not a tare store\n"
            "  detail: it is not a SQLite database\n"
            "  try: name another file with --store; tare creates it");
  EXPECT_EQ(code_, absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadFile(path).value(), std::string(2000, 'n'));
}

TEST_F(SqliteStore, RefusesADirectoryAndAMissingOne) {
  ASSERT_EQ(mkdir(directory_.Path("runs").c_str(), 0755), 0);
  EXPECT_EQ(OpenError(directory_.Path("runs")),
            "'DIR/runs' is not a tare store\n"
            "  detail: it is a directory\n"
            "  try: name a file with --store; tare creates it");
  EXPECT_EQ(code_, absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenError(directory_.Path("none/lab.db")),
            "store 'DIR/none/lab.db' cannot be created\n"
            "  detail: directory 'DIR/none' does not exist\n"
            "  try: mkdir -p 'DIR/none', or use another store with --store");
  EXPECT_EQ(code_, absl::StatusCode::kNotFound);
}

// Root may read and write everything, so the test steps down for a moment where it is root.
class WithoutPrivileges {
 public:
  WithoutPrivileges() {
    if (getuid() == 0) {
      EXPECT_EQ(seteuid(65534), 0);
    }
  }
  ~WithoutPrivileges() {
    if (getuid() == 0) {
      EXPECT_EQ(seteuid(0), 0);
    }
  }
};

TEST_F(SqliteStore, RefusesAStoreThatItMayNotWrite) {
  const std::string path = MakeStore();
  ASSERT_EQ(chmod(directory_.Path("").c_str(), 0555), 0);
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  {
    WithoutPrivileges scope;
    EXPECT_EQ(OpenError(path),
              "store 'DIR/lab.db' cannot be read and written\n"
              "  detail: 'DIR/lab.db': Permission denied\n"
              "  try: ask its owner, or use another store with --store");
    EXPECT_EQ(code_, absl::StatusCode::kPermissionDenied);
    EXPECT_TRUE(absl::StrContains(OpenError(directory_.Path("new.db")), "': Permission denied"));
    EXPECT_EQ(code_, absl::StatusCode::kPermissionDenied);
  }
  ASSERT_EQ(chmod(directory_.Path("").c_str(), 0755), 0);
}

TEST_F(SqliteStore, SaysThatAnotherProcessHoldsTheLock) {
  const std::string path = MakeStore();
  const std::unique_ptr<Store> store = OpenSqliteStore(path, absl::Milliseconds(1)).value();
  RawDatabase other(path);
  other.Query("BEGIN IMMEDIATE");
  const absl::Status status = store->SetRunState(kRun, RunState::kComplete);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(FormatError(status),
            absl::StrCat("store '", path,
                         "' is locked by another process\n"
                         "  detail: waited 1ms\n"
                         "  try: end the other tare, or use another store with --store"));
  EXPECT_EQ(store->ListRuns().value().size(), 1u) << "readers do not wait for a writer";
  other.Query("COMMIT");
  EXPECT_EQ(store->SetRunState(kRun, RunState::kComplete), absl::OkStatus());
}

TEST_F(SqliteStore, IsMadeOnceByAllWhoOpenItAtTheSameTime) {
  for (int round = 0; round < 10; ++round) {
    const std::string path = directory_.Path(absl::StrCat("new-", round, ".db"));
    std::vector<std::thread> openers;
    for (int i = 0; i < 6; ++i) {
      openers.emplace_back([&path] {
        const absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(path);
        ASSERT_EQ(store.status(), absl::OkStatus());
        EXPECT_EQ((*store)->ListRuns().value().size(), 0u);
      });
    }
    for (std::thread& opener : openers) opener.join();
  }
}

TEST_F(SqliteStore, CommitsWhileAReaderIsInTheMiddleOfAQuery) {
  const std::string path = MakeStore();
  const std::unique_ptr<Store> store = OpenSqliteStore(path, absl::Milliseconds(1)).value();
  RawDatabase reader(path);
  reader.Query("BEGIN");
  EXPECT_EQ(reader.Query("SELECT state FROM runs"), "running\n");
  EXPECT_EQ(store->SetRunState(kRun, RunState::kComplete), absl::OkStatus());
  EXPECT_EQ(reader.Query("SELECT state FROM runs"), "running\n") << "its own consistent picture";
  reader.Query("COMMIT");
  EXPECT_EQ(reader.Query("SELECT state FROM runs"), "complete\n");
}

TEST_F(SqliteStore, SeesRotInColumnsRecordsAndPlans) {
  const std::string path = MakeStore();
  RawDatabase raw(path);
  const std::unique_ptr<Store> store = OpenSqliteStore(path).value();
  const auto read = [&] {
    return store->ReadBlocks(
        kRun, 0, 1, [](const std::string&, const v1::SampleBlock&) { return absl::OkStatus(); });
  };
  ASSERT_EQ(read(), absl::OkStatus());
  raw.Query(
      "UPDATE sample_columns SET data = CAST(substr(data, 1, length(data) - 1) || x'00' AS BLOB)"
      " WHERE chunk_id = 2 AND name = 'value_ns'");
  absl::Status status = read();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(),
            absl::StrCat("run '", kRun,
                         "' trial 0 attempt 1: role 'workload' chunk 1: column 'value_ns' is "
                         "damaged in the store"));
  EXPECT_EQ(PartsOf(status).action, "restore the store from a copy, and check the disk");

  raw.Query("DELETE FROM sample_columns WHERE chunk_id = 2 AND name = 'value_ns'");
  status = read();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(absl::EndsWith(status.message(),
                             "chunk 1: column 'value_ns' has 0 values, the chunk has 10 samples"));

  raw.Query("UPDATE chunks SET samples_count = 1 << 40 WHERE chunk_id = 2");
  EXPECT_TRUE(absl::EndsWith(read().message(), "cannot have 1099511627776 samples"));

  raw.Query("UPDATE chunks SET message = x'08' WHERE kind = 'record'");
  status = store->ListAttempts(kRun).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), absl::StrCat("the record of run '", kRun,
                                           "' trial 0 attempt 1 is damaged in the store"));

  raw.Query("UPDATE runs SET plan = x'00'");
  EXPECT_EQ(store->LoadRun(kRun).status().message(),
            absl::StrCat("the plan of run '", kRun, "' is damaged in the store"));
}

TEST_F(SqliteStore, SaysThatItsFileIsDamaged) {
  const std::string path = MakeStore();
  const std::string bytes = ReadFile(path).value();
  const std::string first_page = bytes.substr(0, 4096);
  ASSERT_EQ(WriteFile(path, first_page + std::string(bytes.size() - 4096, 'x')), absl::OkStatus());
  const absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(path);
  const absl::Status status = store.ok() ? (*store)->ListRuns().status() : store.status();
  EXPECT_EQ(FormatError(status), absl::StrCat("store '", path,
                                              "' is damaged\n"
                                              "  detail: database disk image is malformed\n"
                                              "  try: restore it from a copy, and check the disk"));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
}

// Fills a store on a file system of 256 KiB and returns the error that comes of it, or what went
// wrong. Runs in a process of its own, which alone sees the mount.
std::string FillSmallDisk(const std::string& directory) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    return absl::StrCat("cannot make a mount namespace: ", strerror(errno));
  }
  // In a chroot "/" is no mount point, and then there is nothing to make private.
  (void)mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  if (mount("tmpfs", directory.c_str(), "tmpfs", 0, "size=256k") != 0) {
    return absl::StrCat("cannot mount: ", strerror(errno));
  }
  std::string result;
  int32_t kept_count = 0;
  {
    const std::unique_ptr<Store> store = OpenSqliteStore(directory + "/lab.db").value();
    AddTestRun(*store, kRun, 1);
    if (!store->AddAttempt(kRun, 0, "local", 5).ok()) result = "cannot add an attempt";
    while (result.empty()) {
      const absl::Status status =
          store->AddChunk(MakeTestChunk(kRun, "workload", kept_count, v1::CHUNK_KIND_SAMPLES,
                                        MakeTestBlock(kept_count, 500), 500));
      if (status.ok()) ++kept_count;
      if (!status.ok())
        result = absl::StrCat(absl::StatusCodeToString(status.code()), ": ", FormatError(status));
    }
    int32_t read_count = 0;
    const absl::Status read =
        store->ReadBlocks(kRun, 0, 1, [&](const std::string&, const v1::SampleBlock&) {
          ++read_count;
          return absl::OkStatus();
        });
    if (read_count != kept_count) {
      absl::StrAppend(&result, "\n", kept_count - read_count, " of ", kept_count,
                      " chunks are gone: ", FormatError(read));
    }
  }
  umount2(directory.c_str(), MNT_DETACH);
  return result;
}

TEST_F(SqliteStore, SaysThatTheDiskIsFullAndKeepsWhatItAcknowledged) {
  const std::string directory = directory_.Path("small");
  ASSERT_EQ(mkdir(directory.c_str(), 0755), 0);
  int result[2];
  ASSERT_EQ(pipe(result), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    _exit(WriteFully(result[1], FillSmallDisk(directory)).ok() ? 0 : 1);
  }
  close(result[1]);
  std::string text(4096, '\0');
  const ssize_t size = read(result[0], text.data(), text.size());
  close(result[0]);
  int exit_status = 0;
  ASSERT_EQ(waitpid(child, &exit_status, 0), child);
  ASSERT_GT(size, 0);
  text.resize(static_cast<size_t>(size));
  EXPECT_EQ(text, absl::StrCat("RESOURCE_EXHAUSTED: store '", directory,
                               "/lab.db' cannot grow: the disk is full\n"
                               "  try: free space on its file system; all that was committed is "
                               "kept"));
}

// docs/store.md shows one query for people who read the store without tare; it must work as
// printed.
TEST_F(SqliteStore, AnswersTheDocumentedQuery) {
  const std::string document =
      ReadFile(absl::StrCat(getenv("TARE_SOURCE"), "/docs/store.md")).value();
  const size_t begin = document.find("```sql\n") + 7;
  const std::string query = document.substr(begin, document.find("```", begin) - begin);
  EXPECT_EQ(RawDatabase(MakeStore()).Query(query),
            absl::StrCat(kRun, "|preview-cost|0|1|local|workload|2|20\n"));
}

}  // namespace
}  // namespace tare::coordinator
