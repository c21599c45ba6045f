#include "tests/postgres_cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"

namespace tare {
namespace {

// The directory of the newest server programs.
std::string ServerPrograms() {
  glob_t found{};
  glob("/usr/lib/postgresql/*/bin/postgres", 0, nullptr, &found);
  const std::string newest = found.gl_pathc == 0 ? "" : found.gl_pathv[found.gl_pathc - 1];
  globfree(&found);
  return std::filesystem::path(newest).parent_path();
}

// A port of 127.0.0.1 that nobody listens on just now.
int FreePort() {
  const UniqueFd probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  sockaddr* const any = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(probe.get(), any, length), 0);
  EXPECT_EQ(getsockname(probe.get(), any, &length), 0);
  return ntohs(address.sin_port);
}

// Starts a program as the account of the server, silent, to die with this process.
pid_t StartAs(const passwd* account, const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  if (account != nullptr && (setgid(account->pw_gid) != 0 || setuid(account->pw_uid) != 0)) {
    _exit(126);
  }
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) dup2(nothing, fd);
  if (chdir("/") != 0) _exit(126);
  execv(arguments[0], arguments.data());
  _exit(127);
}

bool Succeeds(pid_t pid) {
  int status = 0;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

PostgresCluster::PostgresCluster(const PostgresClusterOptions& options)
    : programs_(ServerPrograms()) {
  const passwd* account = geteuid() == 0 ? getpwnam("postgres") : nullptr;
  char pattern[] = "/tmp/tare-postgres-test-XXXXXX";
  directory_ = mkdtemp(pattern);
  if (account != nullptr) {
    EXPECT_EQ(chown(directory_.c_str(), account->pw_uid, account->pw_gid), 0);
  }
  MakeData(account);
  if (options.has_tcp) MakeCertificate(account);
  StartServer(account, options);
}

PostgresCluster::~PostgresCluster() {
  if (server_ > 0) {
    kill(server_, SIGQUIT);
    waitpid(server_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string PostgresCluster::socket_path() const {
  return absl::StrCat(directory_, "/.s.PGSQL.", port_);
}

void PostgresCluster::MakeData(const passwd* account) {
  const std::string password_file = directory_ + "/password";
  EXPECT_TRUE(WriteFile(password_file, absl::StrCat(kPassword, "\n")).ok());
  std::filesystem::permissions(password_file, std::filesystem::perms(0644));
  EXPECT_TRUE(
      Succeeds(StartAs(account, {programs_ + "/initdb", "-D", directory_ + "/data", "-U", kUser,
                                 "--auth-local=trust", "--auth-host=scram-sha-256",
                                 "--pwfile=" + password_file, "--no-sync", "--no-instructions"})))
      << "initdb of '" << programs_ << "'";
}

void PostgresCluster::MakeCertificate(const passwd* account) {
  const std::string data = directory_ + "/data";
  EXPECT_TRUE(Succeeds(StartAs(
      account, {"/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-keyout", data + "/server.key", "-out", data + "/server.crt"})))
      << "openssl req";
}

void PostgresCluster::StartServer(const passwd* account, const PostgresClusterOptions& options) {
  if (options.has_tcp) port_ = FreePort();
  std::vector<std::string> command = {programs_ + "/postgres",
                                      "-D",
                                      directory_ + "/data",
                                      "-F",
                                      "-k",
                                      directory_,
                                      "-h",
                                      options.has_tcp ? "127.0.0.1" : "",
                                      "-p",
                                      absl::StrCat(port_)};
  std::vector<std::string> settings = options.settings;
  if (options.has_tcp) settings.push_back("ssl=on");
  for (const std::string& setting : settings) command.insert(command.end(), {"-c", setting});
  server_ = StartAs(account, command);
  address_ =
      absl::StrCat("host=", directory_, " port=", port_, " user=", kUser, " dbname=postgres");
  const std::vector<std::string> probe = {programs_ + "/pg_isready", "-q", "-h", directory_, "-p",
                                          absl::StrCat(port_)};
  bool is_ready = false;
  for (int i = 0; i < 500 && !is_ready; ++i) {
    is_ready = Succeeds(StartAs(nullptr, probe));
    if (!is_ready) Clock::Real()->Wait(absl::Milliseconds(20));
  }
  EXPECT_TRUE(is_ready);
}

}  // namespace tare
