#include "tests/preview/postgres_cluster.h"

#include <fcntl.h>
#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "base/clock.h"
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

PostgresCluster::PostgresCluster() {
  const passwd* account = geteuid() == 0 ? getpwnam("postgres") : nullptr;
  const std::string programs = ServerPrograms();
  char pattern[] = "/tmp/tare-preview-test-XXXXXX";
  directory_ = mkdtemp(pattern);
  if (account != nullptr) {
    EXPECT_EQ(chown(directory_.c_str(), account->pw_uid, account->pw_gid), 0);
  }
  const std::string data = directory_ + "/data";
  EXPECT_TRUE(Succeeds(StartAs(account, {programs + "/initdb", "-D", data, "-U", "tare", "-A",
                                         "trust", "-N", "--no-instructions"})))
      << "initdb of '" << programs << "'";
  server_ =
      StartAs(account, {programs + "/postgres", "-D", data, "-k", directory_, "-h", "", "-F"});
  address_ = "host=" + directory_ + " port=5432 user=tare dbname=postgres";
  bool is_ready = false;
  for (int i = 0; i < 500 && !is_ready; ++i) {
    is_ready = Succeeds(StartAs(nullptr, {programs + "/pg_isready", "-q", "-h", directory_}));
    if (!is_ready) Clock::Real()->Wait(absl::Milliseconds(20));
  }
  EXPECT_TRUE(is_ready);
}

PostgresCluster::~PostgresCluster() {
  if (server_ > 0) {
    kill(server_, SIGQUIT);
    waitpid(server_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

}  // namespace tare
