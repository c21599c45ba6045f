// `tare check`: is this machine fit to measure on, and what to do if not.

#include <cstdio>
#include <memory>
#include <string>

#include "base/message_json.h"
#include "base/status.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/local_agent.h"
#include "coordinator/cli/report_output.h"
#include "coordinator/dispatch/dispatch.h"
#include "coordinator/dispatch/session_server.h"
#include "coordinator/report/machine_look.h"
#include "coordinator/report/report.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kAgentWait = absl::Seconds(20);
constexpr int kJsonIndent = 2;

struct CheckOptions {
  bool is_strict = false;
  bool is_json = false;
};

absl::StatusOr<v1::Checked> Look(v1::Gates gates) {
  SessionServerOptions options;
  options.listen = PrivateAddress();
  options.keep_chunk = [](const v1::Chunk&) {
    return absl::FailedPreconditionError("nothing is measured here");
  };
  // Declared before the server: it ends when the server is gone.
  std::unique_ptr<LocalAgent> agent;
  ASSIGN_OR_RETURN(const std::unique_ptr<SessionServer> server,
                   StartSessionServer(std::move(options)));
  ASSIGN_OR_RETURN(LocalAgent started, LocalAgent::Start(server->address(), "/nonexistent"));
  agent = std::make_unique<LocalAgent>(std::move(started));
  ASSIGN_OR_RETURN(const ConnectedAgent connected, AwaitAgent(*server, kAgentWait));
  return LookAtMachine(*server, connected, gates);
}

absl::StatusOr<int> Check(const CheckOptions& options) {
  ASSIGN_OR_RETURN(const v1::Checked checked,
                   Look(options.is_strict ? v1::GATES_STRICT : v1::GATES_NORMAL));
  std::fputs(options.is_json ? (FormatJson(checked, kJsonIndent) + "\n").c_str()
                             : FormatMachineLook(checked.machine(),
                                                 {checked.checks().begin(), checked.checks().end()},
                                                 StdoutTerminal())
                                   .c_str(),
             stdout);
  for (const v1::Check& check : checked.checks()) {
    if (check.status() == v1::CHECK_STATUS_REFUSED) return kExitRefused;
  }
  return 0;
}

}  // namespace

void AddCheckCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("check", "is this machine quiet enough to measure on?");
  auto options = std::make_shared<CheckOptions>();
  command->add_flag("--strict", options->is_strict, "exit 3 on what 'gates: strict' would refuse");
  command->add_flag("--json", options->is_json, "print JSON");
  command->footer("Takes a second or two.\nExample: tare check --strict");
  command->callback([options, exit_code] {
    const absl::StatusOr<int> code = Check(*options);
    *exit_code = code.ok() ? *code : Complain(code.status());
  });
}

}  // namespace tare::coordinator
