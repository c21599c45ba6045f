#include "bench/proxy/path.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/clock.h"
#include "base/files.h"
#include "bench/proxy/affinity.h"
#include "tests/proxy/sockets.h"

namespace tare::bench {
namespace {

constexpr absl::Duration kStartTimeMax = absl::Seconds(5);

std::string PortOf(const std::string& address) { return address.substr(address.rfind(':') + 1); }

std::string OwnPrograms() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "bin";
}

}  // namespace

std::unique_ptr<Path> Path::Direct(const std::string& server) {
  std::unique_ptr<Path> path(new Path("direct"));
  path->address_ = server;
  return path;
}

std::unique_ptr<Path> Path::TareProxy(const std::string& name, const std::string& server, int cpu,
                                      const std::vector<std::string>& arguments) {
  std::unique_ptr<Path> path(new Path(name));
  path->address_ = FreeAddress();
  std::vector<std::string> command = {OwnPrograms() + "/tare-proxy",
                                      "--listen",
                                      path->address_,
                                      "--to",
                                      server,
                                      "--evidence",
                                      path->directory_.Path("evidence.json")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  path->Start(std::move(command), cpu);
  return path;
}

std::unique_ptr<Path> Path::Haproxy(const std::string& server, int cpu) {
  std::unique_ptr<Path> path(new Path("haproxy"));
  path->address_ = FreeAddress();
  const std::string config = path->directory_.Path("haproxy.cfg");
  if (!WriteFile(config, absl::StrCat("global\n  nbthread 1\n"
                                      "defaults\n  mode tcp\n  timeout connect 5s\n"
                                      "  timeout client 5m\n  timeout server 5m\n"
                                      "frontend in\n  bind ",
                                      path->address_,
                                      "\n  default_backend out\n"
                                      "backend out\n  server one ",
                                      server, "\n"))
           .ok()) {
    path->problem_ = "its configuration could not be written";
    return path;
  }
  path->Start({"haproxy", "-f", config, "-db"}, cpu);
  return path;
}

std::unique_ptr<Path> Path::Nginx(const std::string& server, int cpu) {
  std::unique_ptr<Path> path(new Path("nginx stream"));
  path->address_ = FreeAddress();
  const std::string config = path->directory_.Path("nginx.conf");
  const std::string module = "/usr/lib/nginx/modules/ngx_stream_module.so";
  if (!WriteFile(config, absl::StrCat("load_module ", module,
                                      ";\nuser root;\nworker_processes 1;\n"
                                      "daemon off;\nmaster_process off;\npid ",
                                      path->directory_.Path("pid"),
                                      ";\nerror_log /dev/null;\nevents {}\n"
                                      "stream { server { listen ",
                                      path->address_, "; proxy_pass ", server, "; } }\n"))
           .ok()) {
    path->problem_ = "its configuration could not be written";
    return path;
  }
  path->Start({"nginx", "-c", config, "-p", path->directory_.Path("")}, cpu);
  return path;
}

std::unique_ptr<Path> Path::Socat(const std::string& server, int cpu) {
  std::unique_ptr<Path> path(new Path("socat"));
  path->address_ = FreeAddress();
  path->Start({"socat",
               absl::StrCat("TCP-LISTEN:", PortOf(path->address_),
                            ",bind=127.0.0.1,fork,reuseaddr,nodelay"),
               absl::StrCat("TCP:", server, ",nodelay")},
              cpu);
  return path;
}

void Path::Start(std::vector<std::string> command, int cpu) {
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    PinTo(cpu);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int fd : {0, 1, 2}) dup2(null, fd);
    std::vector<char*> argv;
    for (std::string& argument : command) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  const absl::Time give_up_at = absl::Now() + kStartTimeMax;
  while (!ConnectTo(address_).is_open()) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      problem_ =
          WIFEXITED(status) && WEXITSTATUS(status) == 127 ? "not installed" : "ended at once";
      return;
    }
    if (absl::Now() > give_up_at) {
      problem_ = "did not listen";
      return;
    }
    Clock::Real()->Wait(absl::Milliseconds(5));
  }
}

void Path::Stop(int signal) {
  if (pid_ < 0) return;
  kill(pid_, signal);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

std::string Path::StopForEvidence() {
  Stop(SIGTERM);
  return ReadFile(directory_.Path("evidence.json")).value_or("");
}

Path::~Path() { Stop(SIGKILL); }

}  // namespace tare::bench
