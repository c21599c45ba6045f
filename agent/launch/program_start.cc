#include "agent/launch/program_start.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/unique_fd.h"

namespace tare::agent {
namespace {

// Where the child has its descriptors. The protocol's follow stdin, stdout and stderr; the error
// pipe is the one above, and closes at exec.
constexpr int kChildInFd = 3;
constexpr int kChildOutFd = 4;
constexpr int kChildErrorFd = 5;
// Above all of these, so that moving one onto its number never overwrites another.
constexpr int kSafeFd = 10;

// What the child reports through the error pipe when it could not exec.
struct ChildError {
  const char* step;  // points into the image that warden and child share
  int error_number;
};

// Everything the child needs, made before the fork.
struct ChildSetup {
  std::vector<char*> argv;
  std::vector<char*> envp;
  const char* working_directory = nullptr;
  const passwd* account = nullptr;  // null: stays who it is
  const std::vector<int>* cpus = nullptr;
  bool has_protocol = false;
  int null_fd = -1;
  int output_fd = -1;
  int error_fd = -1;
  pid_t warden = 0;
};

[[noreturn]] void Refuse(int error_fd, const char* step, int error_number) {
  const ChildError error{step, error_number};
  [[maybe_unused]] const ssize_t count = write(error_fd, &error, sizeof error);
  _exit(127);
}

void ArrangeDescriptors(const ChildSetup& setup) {
  const bool is_arranged =
      dup2(setup.null_fd, STDIN_FILENO) >= 0 && dup2(setup.output_fd, STDOUT_FILENO) >= 0 &&
      dup2(setup.output_fd, STDERR_FILENO) >= 0 &&
      (!setup.has_protocol ||
       (dup2(kProtocolInFd, kChildInFd) >= 0 && dup2(kProtocolOutFd, kChildOutFd) >= 0)) &&
      dup3(setup.error_fd, kChildErrorFd, O_CLOEXEC) >= 0 &&
      close_range(kChildErrorFd + 1, ~0U, 0) == 0;
  if (!is_arranged) Refuse(setup.error_fd, kStepPrepare, errno);
  if (!setup.has_protocol) close_range(kChildInFd, kChildOutFd, 0);
}

// Affinity is read back, because the kernel drops CPUs that a cpuset forbids without a word.
void ApplyCpus(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  cpu_set_t asked;
  CPU_ZERO(&asked);
  for (int cpu : cpus) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) Refuse(kChildErrorFd, kStepCpus, EINVAL);
    CPU_SET(static_cast<size_t>(cpu), &asked);
  }
  cpu_set_t given;
  if (sched_setaffinity(0, sizeof asked, &asked) != 0 ||
      sched_getaffinity(0, sizeof given, &given) != 0) {
    Refuse(kChildErrorFd, kStepCpus, errno);
  }
  if (!CPU_EQUAL(&asked, &given)) Refuse(kChildErrorFd, kStepCpus, EINVAL);
}

void BecomeUser(const passwd* account) {
  if (account == nullptr) return;
  if (initgroups(account->pw_name, account->pw_gid) != 0 || setgid(account->pw_gid) != 0 ||
      setuid(account->pw_uid) != 0) {
    Refuse(kChildErrorFd, kStepBecome, errno);
  }
}

[[noreturn]] void RunChild(const ChildSetup& setup) {
  setsid();
  ArrangeDescriptors(setup);
  ApplyCpus(*setup.cpus);
  const rlimit no_core{0, 0};
  if (setrlimit(RLIMIT_CORE, &no_core) != 0) Refuse(kChildErrorFd, kStepPrepare, errno);
  BecomeUser(setup.account);
  // After the change of user, which would clear it. A warden that is gone already sends no signal.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    Refuse(kChildErrorFd, kStepPrepare, errno);
  }
  if (getppid() != setup.warden) _exit(127);
  if (chdir(setup.working_directory) != 0) Refuse(kChildErrorFd, kStepDirectory, errno);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(setup.argv[0], setup.argv.data(), setup.envp.data());
  Refuse(kChildErrorFd, kStepExec, errno);
}

std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

StartedProgram Refused(const char* step, int error_number) {
  return {.refused_step = step, .error_number = error_number};
}

// The account to change to: null when `user` is empty or already ours. False when there is none.
bool FindAccount(const std::string& user, const passwd** account) {
  *account = nullptr;
  if (user.empty()) return true;
  errno = 0;
  const passwd* found = getpwnam(user.c_str());
  if (found == nullptr) return false;
  if (found->pw_uid != geteuid()) *account = found;
  return true;
}

}  // namespace

StartedProgram StartProgram(const StartRequest& request) {
  std::vector<std::string> command = request.command;
  std::vector<std::string> environment = request.environment;
  UniqueFd protocol_in(request.has_protocol ? kProtocolInFd : -1);
  UniqueFd protocol_out(request.has_protocol ? kProtocolOutFd : -1);
  if (request.has_protocol) {
    environment.push_back("TARE_WORKLOAD_IN=" + std::to_string(kChildInFd));
    environment.push_back("TARE_WORKLOAD_OUT=" + std::to_string(kChildOutFd));
  }
  ChildSetup setup{.argv = PointersTo(command),
                   .envp = PointersTo(environment),
                   .working_directory = request.working_directory.c_str(),
                   .cpus = &request.cpus,
                   .has_protocol = request.has_protocol,
                   .warden = getpid()};
  if (!FindAccount(request.user, &setup.account)) return Refused(kStepUser, errno);

  int pipe_fds[2];
  if (pipe2(pipe_fds, O_CLOEXEC) != 0) return Refused(kStepPrepare, errno);
  UniqueFd output_read(pipe_fds[0]);
  UniqueFd output_write(pipe_fds[1]);
  if (pipe2(pipe_fds, O_CLOEXEC) != 0) return Refused(kStepPrepare, errno);
  UniqueFd error_read(pipe_fds[0]);
  UniqueFd error_write(fcntl(pipe_fds[1], F_DUPFD_CLOEXEC, kSafeFd));
  close(pipe_fds[1]);
  UniqueFd output_moved(fcntl(output_write.get(), F_DUPFD_CLOEXEC, kSafeFd));
  UniqueFd null_fd(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!error_write.is_open() || !output_moved.is_open() || !null_fd.is_open() ||
      fcntl(output_read.get(), F_SETFL, O_NONBLOCK) != 0) {
    return Refused(kStepPrepare, errno);
  }
  output_write.Reset();
  setup.null_fd = null_fd.get();
  setup.output_fd = output_moved.get();
  setup.error_fd = error_write.get();
  if (setup.account != nullptr) {
    // A program may open its descriptors again by /proc/self/fd, which checks the pipe's owner.
    for (int fd : {setup.output_fd, protocol_in.get(), protocol_out.get()}) {
      if (fd >= 0 && fchown(fd, setup.account->pw_uid, setup.account->pw_gid) != 0) {
        return Refused(kStepBecome, errno);
      }
    }
  }

  const pid_t pid = fork();
  if (pid < 0) return Refused(kStepPrepare, errno);
  if (pid == 0) RunChild(setup);
  error_write.Reset();
  ChildError error{};
  ssize_t count = 0;
  do {
    count = read(error_read.get(), &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  if (count == 0) return {.pid = pid, .output_fd = output_read.Release()};
  waitpid(pid, nullptr, 0);
  return Refused(error.step, error.error_number);
}

}  // namespace tare::agent
