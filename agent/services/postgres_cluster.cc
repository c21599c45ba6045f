#include "agent/services/postgres_cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/launch/process_table.h"
#include "agent/services/postgres_session.h"
#include "agent/services/secrets.h"
#include "agent/services/server_log.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/status.h"
#include "base/token.h"
#include "base/unique_fd.h"

namespace tare::agent {
namespace {

constexpr size_t kPasswordLength = 32;
constexpr absl::Duration kInitDbTimeMax = absl::Minutes(2);
constexpr absl::Duration kStartTimeMax = absl::Minutes(1);
constexpr absl::Duration kLookAgain = absl::Milliseconds(5);
constexpr int kPortTriesMax = 5;
// The longest socket path that the kernel takes, less "/.s.PGSQL.65535.lock".
constexpr size_t kSocketDirectoryBytesMax = sizeof(sockaddr_un::sun_path) - 21;

// A port that is free at this moment. Another program may take it before the server does.
absl::StatusOr<int> FreePort() {
  UniqueFd probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (!probe.is_open() || bind(probe.get(), generic, size) != 0 ||
      getsockname(probe.get(), generic, &size) != 0) {
    return ErrnoError(errno, "cannot find a free port on 127.0.0.1");
  }
  return ntohs(address.sin_port);
}

absl::Status WriteSecret(const std::string& path, absl::string_view secret,
                         const ServerAccount& account) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.is_open() || fchown(fd.get(), account.uid, account.gid) != 0) {
    return ErrnoError(errno, absl::StrCat("cannot create '", path, "'"));
  }
  return Annotate(WriteFully(fd.get(), secret), absl::StrCat("'", path, "'"));
}

// What the server's lock file says: its pid and, in the eighth line, how far it is.
bool SaysReady(const std::string& pid_file, pid_t postmaster) {
  const std::vector<std::string> lines = absl::StrSplit(pid_file, '\n');
  int pid = 0;
  return lines.size() >= 8 && absl::SimpleAtoi(lines[0], &pid) && pid == postmaster &&
         absl::StripAsciiWhitespace(lines[7]) == "ready";
}

pid_t ParentOf(pid_t pid) {
  for (const ProcessEntry& process : ReadProcesses()) {
    if (process.pid == pid) return process.parent;
  }
  return -1;
}

}  // namespace

PostgresCluster::PostgresCluster(const PostgresPrograms& programs, const ClusterOptions& options,
                                 const ServerAccount& account, PrivateDirectory directory)
    : programs_(programs),
      options_(options),
      account_(account),
      directory_(std::move(directory)),
      superuser_password_(RandomToken(kPasswordLength)),
      role_password_(RandomToken(kPasswordLength)) {}

// A server that died with its warden could not tidy up.
PostgresCluster::~PostgresCluster() {
  if (server_ != nullptr && absl::IsUnavailable(server_->Stop().status())) {
    RemoveSharedMemory(shared_memory_);
  }
}

absl::StatusOr<std::unique_ptr<PostgresCluster>> PostgresCluster::Start(
    const PostgresPrograms& programs, const ClusterOptions& options) {
  ASSIGN_OR_RETURN(const ServerAccount account, FindServerAccount());
  ASSIGN_OR_RETURN(PrivateDirectory directory, PrivateDirectory::Make(options.directory));
  if (chown(directory.path().c_str(), account.uid, account.gid) != 0) {
    return ErrnoError(errno,
                      absl::StrCat("cannot give '", directory.path(), "' to '", account.user, "'"));
  }
  std::unique_ptr<PostgresCluster> cluster(
      new PostgresCluster(programs, options, account, std::move(directory)));
  RETURN_IF_ERROR(cluster->InitDb());
  RETURN_IF_ERROR(cluster->Configure());
  RETURN_IF_ERROR(cluster->StartServer());
  RETURN_IF_ERROR(cluster->AddRole());
  return cluster;
}

LaunchOptions PostgresCluster::BaseOptions() const {
  LaunchOptions options;
  options.environment = ServerEnvironment();
  options.user = account_.user;
  options.cpus = options_.cpus;
  return options;
}

absl::Status PostgresCluster::FailureOf(absl::string_view what, absl::string_view log) const {
  const absl::StatusCode code = CodeOfServerText(log);
  ErrorBuilder error = MakeError(code, what);
  error.Detail(LastWords(RedactSecrets(log, secrets())));
  if (code == absl::StatusCode::kResourceExhausted) {
    error.Try(absl::StrCat("free space below '", options_.directory, "'"));
  } else if (code == absl::StatusCode::kInvalidArgument) {
    error.Try("correct the service's settings in the experiment");
  }
  return error;
}

// Nothing is synced: after a crash of the machine the cluster is of no use anyway.
absl::Status PostgresCluster::InitDb() {
  const std::string password_file = directory_.path() + "/password";
  RETURN_IF_ERROR(WriteSecret(password_file, superuser_password_, account_));
  LaunchOptions options = BaseOptions();
  options.command = {programs_.directory + "/initdb",
                     "--pgdata=" + data_directory(),
                     "--username=postgres",
                     "--auth=scram-sha-256",
                     "--pwfile=" + password_file,
                     "--encoding=UTF8",
                     "--locale=C",
                     "--no-sync"};
  options.remove_if_stopped = {directory_.path()};
  ASSIGN_OR_RETURN(const std::unique_ptr<Process> initdb, Launch(options));
  ASSIGN_OR_RETURN(const ExitStatus status, initdb->Wait(kInitDbTimeMax));
  unlink(password_file.c_str());
  if (status.code != 0) {
    return FailureOf("initdb could not make a private PostgreSQL cluster", initdb->LogTail());
  }
  return absl::OkStatus();
}

absl::Status PostgresCluster::Configure() {
  const std::string path = data_directory() + "/postgresql.conf";
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.is_open()) return ErrnoError(errno, absl::StrCat("cannot open '", path, "'"));
  return Annotate(WriteFully(fd.get(), absl::StrCat("\n", options_.settings)),
                  absl::StrCat("'", path, "'"));
}

absl::Status PostgresCluster::StartServer() {
  absl::Status status;
  for (int i = 0; i < kPortTriesMax; ++i) {
    ASSIGN_OR_RETURN(port_, FreePort());
    RETURN_IF_ERROR(LaunchServer());
    status = WaitUntilReady();
    if (status.ok() || !SaysPortIsTaken(PartsOf(status).detail)) break;
  }
  return status;
}

absl::Status PostgresCluster::LaunchServer() {
  // A path that is too long for a socket leaves TCP, which is what tare itself uses.
  const bool has_socket = directory_.path().size() <= kSocketDirectoryBytesMax;
  LaunchOptions options = BaseOptions();
  options.command = {programs_.directory + "/postgres",
                     "-D",
                     data_directory(),
                     "-c",
                     absl::StrCat("port=", port_),
                     "-c",
                     "listen_addresses=127.0.0.1",
                     "-c",
                     absl::StrCat("unix_socket_directories=", has_socket ? directory_.path() : ""),
                     "-c",
                     "log_destination=stderr",
                     "-c",
                     "logging_collector=off"};
  options.stop_signal = SIGQUIT;
  // Deleted by the warden only when the agent dies: a start that lost its port is tried again.
  options.remove_if_stopped = {directory_.path()};
  ASSIGN_OR_RETURN(server_, Launch(options));
  return absl::OkStatus();
}

absl::Status PostgresCluster::WaitUntilReady() {
  const std::string pid_file = data_directory() + "/postmaster.pid";
  const absl::Duration deadline = Clock::Real()->Monotonic() + kStartTimeMax;
  while (!SaysReady(ReadFile(pid_file).value_or(""), server_->pid())) {
    if (!server_->is_running()) {
      RETURN_IF_ERROR(server_->Wait(kStartTimeMax).status());
      return FailureOf("the private PostgreSQL server would not start", server_->LogTail());
    }
    if (Clock::Real()->Monotonic() > deadline) {
      return MakeError(absl::StatusCode::kDeadlineExceeded,
                       absl::StrCat("the private PostgreSQL server was not ready within ",
                                    absl::FormatDuration(kStartTimeMax)))
          .Detail(LastWords(RedactSecrets(server_->LogTail(), secrets())));
    }
    Clock::Real()->Wait(kLookAgain);
  }
  shared_memory_ =
      SharedMemoryIn(ReadFile(absl::StrCat("/proc/", server_->pid(), "/maps")).value_or(""));
  return CheckItIsOurs();
}

// A server that happens to listen on the same port would be measured instead.
absl::Status PostgresCluster::CheckItIsOurs() {
  ASSIGN_OR_RETURN(auto session, OpenPostgres(SuperuserConninfo(), secrets()));
  ASSIGN_OR_RETURN(const Rows rows, session->Query("SELECT current_setting('data_directory'), "
                                                   "pg_backend_pid()"));
  int backend = 0;
  if (rows.size() == 1 && rows[0][0] == data_directory() &&
      absl::SimpleAtoi(rows[0][1], &backend) && ParentOf(backend) == server_->pid()) {
    return absl::OkStatus();
  }
  return MakeError(absl::StatusCode::kUnavailable,
                   absl::StrCat("another PostgreSQL server answers on port ", port_));
}

// The workload gets a role that can do nothing to the server or to the machine.
absl::Status PostgresCluster::AddRole() {
  ASSIGN_OR_RETURN(auto session, OpenPostgres(SuperuserConninfo(), secrets()));
  for (const std::string& statement :
       {absl::StrCat("CREATE ROLE tare LOGIN PASSWORD '", role_password_, "'"),
        std::string("CREATE DATABASE tare OWNER tare")}) {
    RETURN_IF_ERROR(Annotate(RedactSecrets(session->Query(statement).status(), secrets()),
                             "the private PostgreSQL server"));
  }
  return absl::OkStatus();
}

absl::Status PostgresCluster::CheckRunning() {
  if (server_->is_running()) return absl::OkStatus();
  return FailureOf("the private PostgreSQL server has ended", server_->LogTail());
}

std::string PostgresCluster::SuperuserConninfo() const {
  return absl::StrCat("host=127.0.0.1 port=", port_,
                      " user=postgres password=", superuser_password_, " dbname=postgres");
}

std::string PostgresCluster::conninfo() const {
  return absl::StrCat("host=127.0.0.1 port=", port_, " user=tare password=", role_password_,
                      " dbname=tare");
}

}  // namespace tare::agent
