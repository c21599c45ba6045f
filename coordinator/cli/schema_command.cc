// `tare schema`: the JSON Schema of experiment files, for editors.

#include <cstdio>

#include "coordinator/cli/commands.h"
#include "coordinator/experiment/experiment.h"

namespace tare::coordinator {

void AddSchemaCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("schema", "print the JSON Schema of experiment files, for editors");
  command->footer("Example: tare schema > tare.schema.json");
  command->callback([exit_code] {
    std::fputs(MakeJsonSchema().c_str(), stdout);
    *exit_code = 0;
  });
}

}  // namespace tare::coordinator
