#include "workloads/command/program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace tare::command {
namespace {

bool IsFile(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::variant<sdk::Error, Program> FindProgram(std::vector<std::string> arguments) {
  const std::string& name = arguments.front();
  std::vector<std::string> candidates;
  const char* path = std::getenv("PATH");
  const std::string places = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(name);
  } else {
    std::istringstream directories(places);
    for (std::string directory; std::getline(directories, directory, ':');) {
      candidates.push_back((directory.empty() ? "." : directory) + "/" + name);
    }
  }
  std::string blocked;
  for (const std::string& candidate : candidates) {
    if (!IsFile(candidate)) continue;
    if (access(candidate.c_str(), X_OK) == 0) return Program{candidate, std::move(arguments)};
    blocked = candidate;
  }
  if (!blocked.empty()) {
    return sdk::Error{"command '" + blocked + "' is not executable", "", ""};
  }
  const bool is_path = name.find('/') != std::string::npos;
  return sdk::Error{"command '" + name + "' does not exist",
                    is_path ? "looked for that file" : "looked in PATH: " + places, ""};
}

std::string Shown(const Program& program) {
  std::string text;
  for (const std::string& argument : program.arguments) {
    text += (text.empty() ? "" : " ") + argument;
  }
  return text;
}

}  // namespace tare::command
