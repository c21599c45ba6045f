#include "bench/calibrate/tare_run.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/status.h"

namespace tare::calibrate {
namespace {

constexpr int kWorstExitCode = 3;

// The exit code; what it prints is added to `log`.
absl::StatusOr<int> Execute(const std::string& program, std::vector<std::string> words,
                            const std::string& log) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return MakeError(absl::StatusCode::kUnavailable, absl::StrCat("cannot start '", program, "'"))
        .Detail(std::strerror(error))
        .Try("./dev build");
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return absl::UnavailableError("a run vanished");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

absl::StatusOr<nlohmann::json> RunTare(const Workplace& workplace, const std::string& experiment) {
  const std::string json = absl::StrCat(workplace.files, "/report.json");
  const std::string log = absl::StrCat(workplace.files, "/log.txt");
  std::error_code ignored;
  std::filesystem::remove(json, ignored);
  ASSIGN_OR_RETURN(const int code,
                   Execute(absl::StrCat(workplace.programs, "/tare"),
                           {"tare", "run", experiment, "--store",
                            absl::StrCat(workplace.files, "/tare.db"), "--json", json},
                           log));
  const absl::StatusOr<std::string> text = ReadFile(json);
  nlohmann::json report;
  if (text.ok()) report = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (code > kWorstExitCode || !report.is_object()) {
    return MakeError(absl::StatusCode::kUnavailable,
                     absl::StrCat("tare run ", experiment, " ended with exit code ", code))
        .Detail(absl::StrCat("what it said is in ", log));
  }
  return report;
}

absl::StatusOr<std::string> WriteExperiment(const Workplace& workplace, const std::string& name,
                                            const std::string& yaml) {
  std::string path = absl::StrCat(workplace.files, "/", name, ".yaml");
  RETURN_IF_ERROR(WriteFile(path, yaml));
  return path;
}

}  // namespace tare::calibrate
