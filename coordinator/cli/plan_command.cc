// `tare plan`: what a run would do, how long it takes and what it could see.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/units.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/experiment_file.h"
#include "coordinator/plan/forecast.h"
#include "coordinator/plan/format.h"
#include "coordinator/plan/plan.h"

namespace tare::coordinator {
namespace {

// Shown when no seed is given; a run draws its own.
constexpr uint64_t kExampleSeed = 1;

struct PlanOptions {
  std::string file;
  std::string operation;
  std::optional<uint64_t> seed;
};

absl::StatusOr<int> PrintPlan(const PlanOptions& options) {
  ASSIGN_OR_RETURN(const v1::Experiment experiment, LoadExperiment(options.file));
  Assumptions assumptions;
  if (!options.operation.empty()) {
    ASSIGN_OR_RETURN(const int64_t operation_ns, ParseDurationNs(options.operation));
    assumptions.operation_ns = static_cast<double>(operation_ns);
  }
  const uint64_t seed = options.seed.has_value() ? *options.seed
                        : experiment.has_seed()  ? experiment.seed()
                                                 : kExampleSeed;
  ASSIGN_OR_RETURN(const v1::Plan plan, MakePlan(experiment, seed));
  std::fputs(FormatPlan(plan, experiment, MakeForecast(plan, assumptions)).c_str(), stdout);
  return 0;
}

}  // namespace

void AddPlanCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("plan", "print what a run would do, how long, and what it could see");
  auto options = std::make_shared<PlanOptions>();
  command->add_option("file", options->file, "the experiment, YAML")->required();
  command->add_option("--operation", options->operation,
                      "about how long one operation takes, such as 400us, to tell the duration");
  command->add_option("--seed", options->seed, "governs every random choice; default 1 here");
  command->footer("Example: tare plan examples/preview-cost.yaml --operation 400us");
  command->callback([options, exit_code] {
    const absl::StatusOr<int> code = PrintPlan(*options);
    *exit_code = code.ok() ? *code : ComplainOfFile(code.status());
  });
}

}  // namespace tare::coordinator
