// tare-coordinator: runs one experiment on an agent that dials in over loopback TCP.

#include <signal.h>

#include <string>

#include "CLI/CLI.hpp"
#include "base/version.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/experiment_file.h"
#include "coordinator/cli/run_experiment.h"

int main(int argc, char** argv) {
  using tare::coordinator::RunRequest;
  signal(SIGPIPE, SIG_IGN);
  RunRequest request;
  request.listen = "127.0.0.1:7077";
  std::string file;
  CLI::App app{
      "Runs an experiment on an agent that connects to it.\n"
      "Example: tare-coordinator --listen 127.0.0.1:7077 experiment.yaml\n"
      "         tare-agent --coordinator 127.0.0.1:7077 --once",
      "tare-coordinator"};
  app.set_version_flag("--version", std::string("tare-coordinator ") + tare::kVersion);
  app.add_option("file", file, "the experiment, YAML")->required();
  app.add_option("--listen", request.listen,
                 "loopback host:port (port 0: a free one) or unix:/path")
      ->capture_default_str();
  app.add_option("--seed", request.seed, "governs every random choice of the plan");
  app.add_option("--json", request.json, "also write the report to this file as JSON");
  tare::coordinator::AddStoreOption(app, &request.store);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : tare::coordinator::kExitUsage;
  }
  absl::StatusOr<tare::v1::Experiment> experiment = tare::coordinator::LoadExperiment(file);
  if (!experiment.ok()) return tare::coordinator::ComplainOfFile(experiment.status());
  request.experiment = *std::move(experiment);
  return tare::coordinator::RunExperiment(request);
}
