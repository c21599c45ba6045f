#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "agent/launch/process.h"
#include "base/status.h"

namespace tare::agent {
namespace {

// 0 when `path` is a program that this process may execute, else why not.
int WhyNotProgram(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

absl::Status NotExecutable(const std::string& path, int error_number) {
  ErrorBuilder error = ErrnoError(error_number, absl::StrCat("program '", path, "'"));
  if (error_number == EACCES) error.Try(absl::StrCat("chmod +x ", path));
  return error;
}

std::vector<std::string> PlacesToLook() {
  std::vector<std::string> places;
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!self.empty()) places.push_back(self.parent_path());
  const char* path = getenv("PATH");
  if (path == nullptr) return places;
  for (absl::string_view place : absl::StrSplit(path, ':', absl::SkipEmpty())) {
    places.emplace_back(place);
  }
  return places;
}

}  // namespace

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  return variables;
}

std::string CurrentDirectory() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::current_path(error);
  return error ? "/" : path.string();
}

std::string HowItEnded(const ExitStatus& exit) {
  return exit.signal.has_value() ? absl::StrCat("was ended by signal ", *exit.signal)
                                 : absl::StrCat("exited with code ", exit.code.value_or(-1));
}

absl::StatusOr<std::string> FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::error_code ignored;
    const std::string path = std::filesystem::absolute(name, ignored);
    const int why_not = WhyNotProgram(path);
    if (why_not != 0) return NotExecutable(path, why_not);
    return path;
  }
  const std::vector<std::string> places = PlacesToLook();
  std::string refused;
  for (const std::string& place : places) {
    const std::string path = absl::StrCat(place, "/", name);
    const int why_not = WhyNotProgram(path);
    if (why_not == 0) return path;
    if (why_not == EACCES && refused.empty()) refused = path;
  }
  if (!refused.empty()) return NotExecutable(refused, EACCES);
  return MakeError(absl::StatusCode::kNotFound, absl::StrCat("program '", name, "' does not exist"))
      .Detail(absl::StrCat("looked in ", absl::StrJoin(places, ", ")))
      .Try("install it, or give its path");
}

}  // namespace tare::agent
