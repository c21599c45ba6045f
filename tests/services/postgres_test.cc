// Real PostgreSQL servers of the newest version installed.

#include "agent/services/postgres.h"

#include <signal.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/shm.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "agent/launch/process_table.h"
#include "agent/services/postgres_session.h"
#include "agent/services/shared_memory.h"
#include "base/files.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

using testing::HasSubstr;
using testing::Not;

v1::Service Asked() {
  UseBuiltPrograms();
  v1::Service service;
  service.set_name("db");
  service.mutable_postgres();
  return service;
}

void AddSetting(v1::Service* service, const std::string& name, const std::string& value) {
  v1::ConfigValue* setting = service->mutable_postgres()->add_settings();
  setting->set_name(name);
  setting->set_text(value);
}

// Processes whose command line names `text`.
std::vector<pid_t> ProcessesWith(const std::string& text) {
  std::vector<pid_t> found;
  for (const ProcessEntry& process : ReadProcesses()) {
    const auto line = ReadFile(absl::StrCat("/proc/", process.pid, "/cmdline"));
    if (line.ok() && absl::StrContains(*line, text)) found.push_back(process.pid);
  }
  return found;
}

std::string Ask(const std::string& conninfo, const std::string& statement) {
  auto session = OpenPostgres(conninfo, {});
  if (!session.ok()) return FormatError(session.status());
  auto rows = (*session)->Query(statement);
  if (!rows.ok()) return FormatError(rows.status());
  return rows->empty() ? "" : (*rows)[0][0];
}

TEST(Postgres, GivesTheWorkloadADatabaseButNoPower) {
  ScratchDirectory scratch;
  auto started = StartService(Asked(), {.directory = scratch.path(), .cpus = {0}});
  ASSERT_TRUE(started.ok()) << FormatError(started.status());
  std::unique_ptr<Service> service = std::move(*started);
  const std::string address = service->address();
  EXPECT_EQ(Ask(address, "SELECT current_user || '@' || current_database()"), "tare@tare");
  EXPECT_EQ(Ask(address, "SELECT rolsuper::text FROM pg_roles WHERE rolname = current_user"),
            "false");
  EXPECT_THAT(Ask(address, "COPY (SELECT 1) TO PROGRAM 'true'"), HasSubstr("must be superuser"));
  EXPECT_EQ(Ask(address, "SHOW fsync"), "on");
  EXPECT_THAT(Ask(absl::StrReplaceAll(address, {{"password=", "password=x"}}), "SELECT 1"),
              HasSubstr("password authentication failed"));

  const std::vector<pid_t> postmaster = ProcessesWith("unix_socket_directories=" + scratch.path());
  ASSERT_EQ(postmaster.size(), 1U);
  EXPECT_THAT(ReadFile(absl::StrCat("/proc/", postmaster[0], "/status")).value(),
              HasSubstr("Cpus_allowed_list:\t0\n"));
  EXPECT_EQ(service->CheckRunning(), absl::OkStatus());
  const Watched server(postmaster[0]);
  service.reset();
  EXPECT_TRUE(server.WaitForEnd());
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(Postgres, DescribesItself) {
  ScratchDirectory scratch;
  v1::Service asked = Asked();
  AddSetting(&asked, "work_mem", "5MB");
  AddSetting(&asked, "vacuum_cost_limit", "77");
  auto service = StartService(asked, {.directory = scratch.path(), .cpus = {}}).value();
  const v1::ServiceRecord record = service->Describe().value();
  EXPECT_TRUE(service->ServingPids().empty());
  EXPECT_EQ(record.name(), "db");
  EXPECT_EQ(record.kind(), "postgres");
  EXPECT_THAT(record.version(), testing::ContainsRegex("^[0-9]+\\.[0-9]+"));
  EXPECT_TRUE(record.is_private());
  EXPECT_THAT(record.endpoint(), testing::MatchesRegex("127\\.0\\.0\\.1:[0-9]+/tare"));
  EXPECT_GT(record.empty_round_trip_ns(), 0);
  std::map<std::string, std::string> settings;
  for (const v1::Setting& setting : record.settings()) settings[setting.name()] = setting.value();
  EXPECT_EQ(settings["work_mem"], "5MB");
  EXPECT_EQ(settings["vacuum_cost_limit"], "77");
  for (const char* name : {"shared_buffers", "fsync", "synchronous_commit", "wal_level",
                           "max_connections", "jit", "effective_cache_size", "autovacuum"}) {
    EXPECT_TRUE(settings.contains(name)) << name;
  }
  for (const std::string& secret : service->secrets()) {
    EXPECT_THAT(record.ShortDebugString(), Not(HasSubstr(secret)));
  }
}

TEST(Postgres, NamesTheProcessesThatServe) {
  ScratchDirectory scratch;
  v1::Service asked = Asked();
  AddSetting(&asked, "cluster_name", "it's mine");
  auto service = StartService(asked, {.directory = scratch.path(), .cpus = {}}).value();
  auto first = OpenPostgres(service->address(), {}).value();
  auto second = OpenPostgres(service->address(), {}).value();
  std::vector<pid_t> backends;
  for (auto* session : {first.get(), second.get()}) {
    backends.push_back(atoi(session->Query("SELECT pg_backend_pid()").value()[0][0].c_str()));
  }
  EXPECT_THAT(service->ServingPids(), testing::UnorderedElementsAreArray(backends));
}

TEST(Postgres, TwoClustersLiveSideBySide) {
  ScratchDirectory scratch;
  const ServiceOptions options{.directory = scratch.path(), .cpus = {}};
  auto first = StartService(Asked(), options).value();
  auto second = StartService(Asked(), options).value();
  EXPECT_NE(first->address(), second->address());
  EXPECT_EQ(Ask(first->address(), "SELECT 1"), "1");
  EXPECT_EQ(Ask(second->address(), "SELECT 2"), "2");
  first.reset();
  EXPECT_EQ(Ask(second->address(), "SELECT 2"), "2");
}

TEST(Postgres, PassesOnWhyTheServerWouldNotStart) {
  ScratchDirectory scratch;
  v1::Service asked = Asked();
  AddSetting(&asked, "shared_buffers", "much");
  const absl::Status status =
      StartService(asked, {.directory = scratch.path(), .cpus = {}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(FormatError(status),
              testing::MatchesRegex(
                  "service 'db': the private PostgreSQL server would not start\n"
                  "  detail: LOG:  invalid value for parameter \"shared_buffers\": \"much\"; .*"
                  "contains errors\n"
                  "  try: correct the service's settings in the experiment"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  EXPECT_TRUE(ProcessesWith(scratch.path()).empty());
}

TEST(Postgres, SaysThatTheDiskIsFull) {
  ASSERT_EQ(geteuid(), 0u) << "needs root to mount a small file system";
  ScratchDirectory scratch;
  ASSERT_EQ(mount("tmpfs", scratch.path().c_str(), "tmpfs", 0, "size=16m,mode=0777"), 0);
  const absl::Status status =
      StartService(Asked(), {.directory = scratch.path(), .cpus = {}}).status();
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  EXPECT_EQ(umount(scratch.path().c_str()), 0);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  const ErrorParts parts = PartsOf(status);
  EXPECT_EQ(parts.what, "service 'db': initdb could not make a private PostgreSQL cluster");
  EXPECT_THAT(parts.detail, HasSubstr("No space left on device"));
  EXPECT_EQ(parts.action, absl::StrCat("free space below '", scratch.path(), "'"));
}

TEST(Postgres, LeavesNothingWhenTheAgentIsKilled) {
  ScratchDirectory scratch;
  StandIn agent("services_stand_in", {scratch.path()});
  ASSERT_THAT(agent.line(), HasSubstr("dbname=tare"));
  const std::vector<pid_t> postmaster = ProcessesWith("unix_socket_directories=" + scratch.path());
  ASSERT_EQ(postmaster.size(), 1U);
  const Watched warden(ParentOf(postmaster[0]));
  std::vector<Watched> processes;
  for (pid_t pid : ChildrenOf(postmaster[0])) processes.emplace_back(pid);
  ASSERT_GE(processes.size(), 4U);
  agent.Kill();
  EXPECT_TRUE(warden.WaitForEnd());
  for (const Watched& process : processes) EXPECT_TRUE(process.WaitForEnd());
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  EXPECT_TRUE(ProcessesWith(scratch.path()).empty());
}

TEST(Postgres, LeavesNothingWhenItsWardenIsKilled) {
  ScratchDirectory scratch;
  auto service = StartService(Asked(), {.directory = scratch.path(), .cpus = {}}).value();
  const std::vector<pid_t> postmaster = ProcessesWith("unix_socket_directories=" + scratch.path());
  ASSERT_EQ(postmaster.size(), 1U);
  const SharedMemory memory =
      SharedMemoryIn(ReadFile(absl::StrCat("/proc/", postmaster[0], "/maps")).value());
  ASSERT_FALSE(memory.segments.empty());
  std::vector<Watched> processes;
  for (pid_t pid : ChildrenOf(postmaster[0])) processes.emplace_back(pid);
  kill(ParentOf(postmaster[0]), SIGKILL);
  service.reset();
  for (const Watched& process : processes) EXPECT_TRUE(process.WaitForEnd());
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  for (const std::string& file : memory.files) EXPECT_FALSE(std::filesystem::exists(file));
  for (int segment : memory.segments) {
    shmid_ds status;
    EXPECT_EQ(shmctl(segment, IPC_STAT, &status), -1);
  }
}

TEST(Postgres, TakesAnExistingServerAndKeepsItsPasswordToItself) {
  ScratchDirectory scratch;
  auto server = StartService(Asked(), {.directory = scratch.path(), .cpus = {}}).value();
  v1::Service asked = Asked();
  asked.mutable_postgres()->set_dsn(server->address());
  auto existing = StartService(asked, {.directory = scratch.path(), .cpus = {}}).value();
  EXPECT_EQ(existing->address(), server->address());
  const v1::ServiceRecord record = existing->Describe().value();
  EXPECT_FALSE(record.is_private());
  EXPECT_THAT(record.endpoint(), testing::MatchesRegex("127\\.0\\.0\\.1:[0-9]+/tare"));
  EXPECT_EQ(existing->CheckRunning(), absl::OkStatus());
  EXPECT_THAT(record.ShortDebugString(), Not(HasSubstr(existing->secrets()[0])));

  // The wrong password is part of the user's name too, which the server repeats in its error.
  asked.mutable_postgres()->set_dsn(absl::StrCat("host=127.0.0.1 ", "user=s3cret password=s3cret ",
                                                 server->address().substr(15, 11)));
  const absl::Status status =
      StartService(asked, {.directory = scratch.path(), .cpus = {}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(FormatError(status), HasSubstr("password authentication failed for user \"***\""));
  EXPECT_THAT(FormatError(status), Not(HasSubstr("s3cret")));
  server.reset();
  EXPECT_THAT(FormatError(existing->CheckRunning()),
              testing::StartsWith("service 'db': cannot connect to the server\n"));
}

TEST(Postgres, SaysThatItsServerWasKilled) {
  ScratchDirectory scratch;
  auto service = StartService(Asked(), {.directory = scratch.path(), .cpus = {}}).value();
  const std::vector<pid_t> postmaster = ProcessesWith("unix_socket_directories=" + scratch.path());
  ASSERT_EQ(postmaster.size(), 1U);
  const Watched warden(ParentOf(postmaster[0]));
  kill(postmaster[0], SIGKILL);
  EXPECT_TRUE(warden.WaitForEnd());
  const absl::Status status = service->CheckRunning();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(PartsOf(status).what, "service 'db': the private PostgreSQL server has ended");
}

TEST(Postgres, SaysWhatToInstall) {
  const absl::Status status = StartPostgres(Asked(), {.directory = "/tmp", .cpus = {}},
                                            {.pg_config = "/no/pg_config", .roots = {"/no/root"}})
                                  .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(FormatError(status), HasSubstr("\n  try: apt-get install postgresql"));
}

TEST(Postgres, KnowsAServingProcessByItsTitle) {
  EXPECT_TRUE(IsServingTitle("postgres: tare tare 127.0.0.1(40312) SELECT"));
  EXPECT_TRUE(IsServingTitle("postgres: mine: tare tare [local] idle"));
  for (const char* title :
       {"postgres: checkpointer ", "postgres: autovacuum worker tare", "postgres: startup ",
        "postgres: parallel worker for PID 12 ", "/usr/lib/postgresql/15/bin/postgres\0-D",
        "postgres: walsender tare 127.0.0.1(1) streaming", ""}) {
    EXPECT_FALSE(IsServingTitle(title)) << title;
  }
}

}  // namespace
}  // namespace tare::agent
