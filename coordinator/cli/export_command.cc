// `tare export`: a run's raw data for other programs.

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>

#include "base/status.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/store/export.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {
namespace {

struct Options {
  std::string run = "last";
  std::string what = "samples";
  std::string format = "csv";
  std::string store;
  bool all_attempts = false;
};

absl::Status WriteToStdout(absl::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return absl::OkStatus();
  return ErrnoError(errno, "cannot write to standard output");
}

absl::Status Export(const Options& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(options.store));
  ASSIGN_OR_RETURN(const std::string run, store->ResolveRun(options.run));
  ExportOptions export_options;
  export_options.format = options.format == "jsonl" ? RowFormat::kJsonLines : RowFormat::kCsv;
  export_options.all_attempts = options.all_attempts;
  const auto export_rows = options.what == "checks"     ? ExportChecks
                           : options.what == "evidence" ? ExportEvidence
                                                        : ExportSamples;
  RETURN_IF_ERROR(export_rows(*store, run, export_options, WriteToStdout));
  if (std::fflush(stdout) == 0) return absl::OkStatus();
  return ErrnoError(errno, "cannot write to standard output");
}

}  // namespace

void AddExportCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("export", "print a run's raw data for other programs");
  auto options = std::make_shared<Options>();
  command->add_option("run", options->run, "its id, its beginning, or 'last'")
      ->capture_default_str();
  command->add_option("--what", options->what, "samples, checks or evidence")
      ->check(CLI::IsMember({"samples", "checks", "evidence"}))
      ->capture_default_str();
  command->add_option("--format", options->format, "csv or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->capture_default_str();
  command->add_flag("--all-attempts", options->all_attempts, "also those that do not count");
  AddStoreOption(*command, &options->store);
  command->footer("Example: tare export last --what samples --format csv > samples.csv");
  command->callback([options, exit_code] {
    *exit_code = 0;
    if (absl::Status status = Export(*options); !status.ok()) *exit_code = Complain(status);
  });
}

}  // namespace tare::coordinator
