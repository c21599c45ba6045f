// `tare plan`: what a run would do, how long it takes and what it could see.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/units.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/experiment_file.h"
#include "coordinator/cli/stored_data.h"
#include "coordinator/plan/forecast.h"
#include "coordinator/plan/format.h"
#include "coordinator/plan/plan.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {
namespace {

// Shown when no seed is given; a run draws its own.
constexpr uint64_t kExampleSeed = 1;

struct PlanOptions {
  std::string file;
  std::string operation;
  std::optional<uint64_t> seed;
  std::string store;
};

// What the newest complete run of this experiment says about the next; nothing when there is none.
absl::StatusOr<Assumptions> LearnFromLastRun(const std::string& store_path,
                                             const std::string& experiment) {
  Assumptions learned;
  if (!std::filesystem::exists(store_path)) return learned;
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(store_path));
  ASSIGN_OR_RETURN(const std::vector<RunSummary> runs, store->ListRuns());
  for (const RunSummary& summary : runs) {
    if (summary.name != experiment || summary.state != RunState::kComplete) continue;
    ASSIGN_OR_RETURN(const RunData data, LoadRunData(*store, summary.run));
    ASSIGN_OR_RETURN(const v1::Report report, Analyse(data));
    const Forecast then = MakeForecast(data.plan, Assumptions());
    const double operations_ns = static_cast<double>(report.duration_ns()) - then.overhead_ns;
    learned.operation_ns =
        std::max(0.0, operations_ns) / static_cast<double>(then.operations_count);
    for (const v1::ReportComparison& comparison : report.comparisons()) {
      if (!comparison.smallest_visible().has_value_ns()) continue;
      const double spread_ns = comparison.smallest_visible().value_ns() / *then.visible_spreads;
      learned.spread_ns = std::max(spread_ns, learned.spread_ns.value_or(0));
    }
    return learned;
  }
  return learned;
}

absl::StatusOr<int> PrintPlan(const PlanOptions& options) {
  ASSIGN_OR_RETURN(const v1::Experiment experiment, LoadExperiment(options.file));
  ASSIGN_OR_RETURN(Assumptions assumptions, LearnFromLastRun(options.store, experiment.name()));
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
                      "about how long one operation takes, such as 400us; default: what the last "
                      "run of this experiment says");
  command->add_option("--seed", options->seed, "governs every random choice; default 1 here");
  AddStoreOption(*command, &options->store);
  command->footer("Example: tare plan examples/preview-cost.yaml --operation 400us");
  command->callback([options, exit_code] {
    const absl::StatusOr<int> code = PrintPlan(*options);
    *exit_code = code.ok() ? *code : ComplainOfFile(code.status());
  });
}

}  // namespace tare::coordinator
