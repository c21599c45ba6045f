// `tare show`: the report of a stored run, made again from its rows.

#include <memory>
#include <string>

#include "base/status.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/report_output.h"
#include "coordinator/cli/stored_data.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {
namespace {

struct ShowOptions {
  std::string run = "last";
  std::string store;
  std::string json;
};

absl::StatusOr<int> Show(const ShowOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(options.store));
  ASSIGN_OR_RETURN(const std::string run, store->ResolveRun(options.run));
  ASSIGN_OR_RETURN(const RunData data, LoadRunData(*store, run));
  ASSIGN_OR_RETURN(const v1::Report report, Analyse(data));
  RETURN_IF_ERROR(PrintReport(report, options.store, options.json));
  return report.exit_code();
}

}  // namespace

void AddShowCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("show", "print the report of a stored run");
  auto options = std::make_shared<ShowOptions>();
  command->add_option("run", options->run, "its id, its beginning, or 'last'")
      ->capture_default_str();
  command->add_option("--json", options->json, "also write the report to this file as JSON");
  AddStoreOption(*command, &options->store);
  command->footer("Exits as the run did.\nExample: tare show last --json report.json");
  command->callback([options, exit_code] {
    const absl::StatusOr<int> code = Show(*options);
    *exit_code = code.ok() ? *code : Complain(code.status());
  });
}

}  // namespace tare::coordinator
