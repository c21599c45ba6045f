// tare: the command line of people.

#include <signal.h>

#include <string>

#include "CLI/CLI.hpp"
#include "base/version.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  CLI::App app{
      "Did this change make the program slower, faster, or can we not tell?\n"
      "tare measures it, measures its own error beside it, and says which.\n"
      "\n"
      "Try first:\n"
      "  tare compare 'sort old.txt' 'sort -S1M old.txt'   two commands\n"
      "  tare check                                        is this machine quiet?\n"
      "  tare init my.yaml && tare run my.yaml             an experiment of your own",
      "tare"};
  app.footer(
      "Exit codes: 0 answered · 1 regression · 2 inconclusive · 3 refused · 64 usage ·\n"
      "            69 machine, store or service unavailable · 130 interrupted\n"
      "Help on one command: tare run --help");
  app.set_version_flag("--version", std::string("tare ") + tare::kVersion);
  app.require_subcommand(1);
  app.get_formatter()->column_width(16);
  int exit_code = 0;
  tare::coordinator::AddRunCommand(app, &exit_code);
  tare::coordinator::AddCompareCommand(app, &exit_code);
  tare::coordinator::AddAnalyzeCommand(app, &exit_code);
  tare::coordinator::AddCheckCommand(app, &exit_code);
  tare::coordinator::AddInitCommand(app, &exit_code);
  tare::coordinator::AddPlanCommand(app, &exit_code);
  tare::coordinator::AddListCommand(app, &exit_code);
  tare::coordinator::AddShowCommand(app, &exit_code);
  tare::coordinator::AddExportCommand(app, &exit_code);
  tare::coordinator::AddExplainCommand(app, &exit_code);
  tare::coordinator::AddSchemaCommand(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : tare::coordinator::kExitUsage;
  }
  return exit_code;
}
