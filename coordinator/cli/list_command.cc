// `tare list`: the runs of a store.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/store/listing.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {
namespace {

struct ListOptions {
  std::string store;
  bool is_json = false;
};

absl::StatusOr<int> List(const ListOptions& options) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(options.store));
  ASSIGN_OR_RETURN(const std::vector<RunSummary> runs, store->ListRuns());
  std::fputs((options.is_json ? FormatRunJson(runs) : FormatRunTable(runs)).c_str(), stdout);
  return 0;
}

}  // namespace

void AddListCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("list", "list the runs of a store, newest first");
  auto options = std::make_shared<ListOptions>();
  command->add_flag("--json", options->is_json, "print JSON");
  AddStoreOption(*command, &options->store);
  command->footer("Example: tare list --store lab.db");
  command->callback([options, exit_code] {
    const absl::StatusOr<int> code = List(*options);
    *exit_code = code.ok() ? *code : Complain(code.status());
  });
}

}  // namespace tare::coordinator
