// `tare run`: measure an experiment on this machine.

#include <memory>

#include "base/status.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/experiment_file.h"
#include "coordinator/cli/run_experiment.h"

namespace tare::coordinator {
namespace {

struct RunOptions {
  std::string file;
  RunRequest request;
};

int Run(RunOptions& options) {
  if (options.file.empty() == options.request.resume.empty()) {
    return Complain(MakeError(absl::StatusCode::kInvalidArgument,
                              "needs either an experiment file or --resume RUN")
                        .Try("tare run examples/preview-cost.yaml"));
  }
  if (options.request.resume.empty()) {
    absl::StatusOr<v1::Experiment> experiment = LoadExperiment(options.file);
    if (!experiment.ok()) return ComplainOfFile(experiment.status());
    options.request.experiment = *std::move(experiment);
  }
  return RunExperiment(options.request);
}

}  // namespace

void AddRunCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("run", "measure an experiment on this machine");
  auto options = std::make_shared<RunOptions>();
  command->add_option("file", options->file, "the experiment, YAML");
  command->add_option("--resume", options->request.resume,
                      "go on with a run that was stopped: its id, its beginning, or 'last'");
  command->add_option("--seed", options->request.seed, "governs every random choice of the plan");
  command->add_option("--json", options->request.json,
                      "also write the report to this file as JSON");
  AddStoreOption(*command, &options->request.store);
  command->footer("Example: tare run examples/preview-cost.yaml --json report.json");
  command->callback([options, exit_code] { *exit_code = Run(*options); });
}

}  // namespace tare::coordinator
