// `tare explain`: what a code in a report means.

#include <cstdio>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/report/refusals.h"

namespace tare::coordinator {
namespace {

int Explain(const std::string& code) {
  absl::StatusOr<std::string> text = ExplainCode(code);
  if (!text.ok()) return Complain(text.status());
  std::printf("%s\n", text->c_str());
  return 0;
}

}  // namespace

void AddExplainCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("explain", "what a refusal, flag or verdict means and what to do");
  auto code = std::make_shared<std::string>();
  command->add_option("code", *code, "as printed in a report")->required();
  command->footer("Example: tare explain order-confounded");
  command->callback([code, exit_code] { *exit_code = Explain(*code); });
}

}  // namespace tare::coordinator
