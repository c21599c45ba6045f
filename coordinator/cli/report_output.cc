#include "coordinator/cli/report_output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/message_json.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

constexpr int kColumnsMin = 80;
constexpr int kColumnsMax = 100;
constexpr int kJsonIndent = 2;

}  // namespace

TerminalOptions StdoutTerminal() {
  TerminalOptions options;
  if (isatty(STDOUT_FILENO) == 0) return options;
  const char* no_color = getenv("NO_COLOR");
  options.has_color = no_color == nullptr || *no_color == '\0';
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    options.columns = std::clamp<int>(size.ws_col, kColumnsMin, kColumnsMax);
  }
  return options;
}

absl::Status PrintReport(const v1::Report& report, const std::string& store,
                         const std::string& json) {
  std::fputs(FormatTerminal(report, StdoutTerminal()).c_str(), stdout);
  if (report.sources().empty()) {
    std::printf("\nrun %s in %s\n", report.run().c_str(), store.c_str());
  }
  if (!json.empty()) {
    RETURN_IF_ERROR(WriteFile(json, absl::StrCat(FormatJson(report, kJsonIndent), "\n")));
    std::printf("report as JSON in %s\n", json.c_str());
  }
  std::fflush(stdout);
  return absl::OkStatus();
}

}  // namespace tare::coordinator
