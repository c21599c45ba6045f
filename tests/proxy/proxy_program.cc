#include "tests/proxy/proxy_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "base/files.h"
#include "tests/proxy/sockets.h"

namespace tare {
namespace {

constexpr char kGreeting[] = "listening on ";

UniqueFd ConnectToControl(const std::string& address) {
  absl::string_view name = address;
  if (!absl::ConsumePrefix(&name, "unix-abstract:")) return ConnectTo(address);
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un local = {};
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path + 1, name.data(), name.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 1);
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&local), length) != 0) return {};
  return fd;
}

std::string ReadLine(int fd) {
  std::string line;
  char byte;
  while (read(fd, &byte, 1) == 1 && byte != '\n') line += byte;
  return line;
}

}  // namespace

ProxyProgram::ProxyProgram(std::vector<std::string> arguments) {
  const char* bin = getenv("TARE_BIN");
  std::vector<std::string> command = {std::string(bin == nullptr ? "build/bin" : bin) +
                                      "/tare-proxy"};
  bool has_evidence = false;
  for (std::string& argument : arguments) {
    has_evidence = has_evidence || absl::StartsWith(argument, "--evidence=");
    command.push_back(std::move(argument));
  }
  if (!has_evidence) command.push_back("--evidence=" + directory_.Path("evidence.json"));
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  output_ = UniqueFd(ends[0]);
  UniqueFd written(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, written.get(), 1);
  posix_spawn_file_actions_addopen(&actions, 2, directory_.Path("errors").c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ) != 0) pid_ = -1;
  posix_spawn_file_actions_destroy(&actions);
  written.Reset();
  const std::string line = ReadLine(output_.get());
  if (absl::StartsWith(line, kGreeting)) address_ = line.substr(sizeof kGreeting - 1);
}

ProxyProgram::~ProxyProgram() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  Wait();
}

int ProxyProgram::Stop() {
  kill(pid_, SIGTERM);
  return Wait();
}

int ProxyProgram::Wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string ProxyProgram::Errors() const {
  return ReadFile(directory_.Path("errors")).value_or("");
}

std::string ProxyProgram::Output() {
  std::string all;
  char bytes[4096];
  ssize_t count;
  while ((count = read(output_.get(), bytes, sizeof bytes)) > 0) {
    all.append(bytes, static_cast<size_t>(count));
  }
  return all;
}

nlohmann::json ProxyProgram::Evidence() const {
  const std::string text = ReadFile(directory_.Path("evidence.json")).value_or("");
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

nlohmann::json AskControl(const std::string& address, const std::string& line) {
  const UniqueFd control = ConnectToControl(address);
  SendAll(control, line + "\n");
  return nlohmann::json::parse(ReadLine(control.get()), nullptr, /*allow_exceptions=*/false);
}

}  // namespace tare
