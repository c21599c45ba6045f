// `tare init`: an experiment to start from.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/experiment/experiment.h"

namespace tare::coordinator {
namespace {

absl::Status WriteNewFile(const std::string& path, const std::string& text) {
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (fd.is_open()) return WriteFully(fd.get(), text);
  if (errno == EEXIST) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("'", path, "' exists already"))
        .Try("choose another name, or remove it");
  }
  return ErrnoError(errno, absl::StrCat("cannot create '", path, "'"));
}

int Init(const std::string& path) {
  if (path == "-") {
    std::fputs(StarterExperiment().c_str(), stdout);
    return 0;
  }
  if (absl::Status status = WriteNewFile(path, StarterExperiment()); !status.ok()) {
    return Complain(status);
  }
  std::printf("wrote %s; look at it, then: tare run %s\n", path.c_str(), path.c_str());
  return 0;
}

}  // namespace

void AddInitCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("init", "write a commented experiment to start from");
  auto path = std::make_shared<std::string>("experiment.yaml");
  command->add_option("file", *path, "where to; '-' prints it")->capture_default_str();
  command->footer("Example: tare init my.yaml");
  command->callback([path, exit_code] { *exit_code = Init(*path); });
}

}  // namespace tare::coordinator
