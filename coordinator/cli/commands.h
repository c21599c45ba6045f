// The subcommands of `tare`. Each registers itself and, when chosen, sets the exit code.
//
// One noun or verb a command; options that several share (--store) are added by AddStoreOption.

#ifndef TARE_COORDINATOR_CLI_COMMANDS_H_
#define TARE_COORDINATOR_CLI_COMMANDS_H_

#include <string>

#include "CLI/CLI.hpp"

namespace tare::coordinator {

void AddInitCommand(CLI::App& app, int* exit_code);
void AddPlanCommand(CLI::App& app, int* exit_code);
void AddRunCommand(CLI::App& app, int* exit_code);
void AddCompareCommand(CLI::App& app, int* exit_code);
void AddAnalyzeCommand(CLI::App& app, int* exit_code);
void AddCheckCommand(CLI::App& app, int* exit_code);
void AddListCommand(CLI::App& app, int* exit_code);
void AddShowCommand(CLI::App& app, int* exit_code);
void AddExportCommand(CLI::App& app, int* exit_code);
void AddExplainCommand(CLI::App& app, int* exit_code);
void AddSchemaCommand(CLI::App& app, int* exit_code);

// --store PATH, defaulting to $TARE_STORE, else results.db below the user's data directory.
void AddStoreOption(CLI::App& command, std::string* store);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_COMMANDS_H_
