// `tare plan`: what a run would do, how long it takes and what it could see.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/enum_word.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/experiment_file.h"
#include "coordinator/cli/pilot.h"
#include "coordinator/cli/stored_data.h"
#include "coordinator/experiment/spelling.h"
#include "coordinator/plan/forecast.h"
#include "coordinator/plan/format.h"
#include "coordinator/plan/format_run_size.h"
#include "coordinator/plan/plan.h"
#include "coordinator/plan/run_size.h"
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
  std::string half_width;
  std::string effect;
  std::string pilot;

  bool IsForSize() const { return !half_width.empty() || !effect.empty(); }
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

absl::Status CheckOptions(const PlanOptions& options) {
  if (!options.half_width.empty() && !options.effect.empty()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "--for and --to-see ask for two plans")
        .Detail("--for is of the interval, --to-see of the smallest difference that is found")
        .Try("give one of them");
  }
  if (!options.pilot.empty() && !options.IsForSize()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "--pilot without --for or --to-see")
        .Try("say what to plan for, such as --for 1%");
  }
  if (!options.operation.empty() && options.IsForSize()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     "--operation cannot be used with --for or --to-see")
        .Detail("the pilot tells how long an operation takes");
  }
  return absl::OkStatus();
}

// "1%" or "20us".
absl::StatusOr<Wanted> ParseWanted(const PlanOptions& options) {
  Wanted wanted;
  wanted.kind = options.effect.empty() ? WantedKind::kHalfWidth : WantedKind::kEffect;
  const std::string& text = options.effect.empty() ? options.half_width : options.effect;
  int64_t size = 0;
  if (absl::EndsWith(text, "%")) {
    ASSIGN_OR_RETURN(size, ParsePercentPpm(text));
    wanted.relative_ppm = size;
  } else {
    ASSIGN_OR_RETURN(size, ParseDurationNs(text));
    wanted.absolute_ns = size;
  }
  if (size > 0) return wanted;
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("size '", text, "' is not above zero"))
      .Try("give a share of the baseline such as 1%, or a duration such as 20us");
}

std::string PairingWord(v1::Pairing pairing) {
  return YamlWord(v1::Pairing_descriptor()->FindValueByNumber(pairing));
}

// How many processes or rounds an experiment file may ask for.
size_t UnitsMax(v1::Pairing pairing) {
  const v1::Rule& rule = RuleOf(*v1::Design::descriptor()->FindFieldByName(
      pairing == v1::PAIRING_ROUNDS ? "rounds" : "processes"));
  return static_cast<size_t>(rule.maximum());
}

absl::StatusOr<int> PrintRunSize(const PlanOptions& options, const v1::Experiment& experiment,
                                 const v1::Plan& plan) {
  ASSIGN_OR_RETURN(const Wanted wanted, ParseWanted(options));
  if (!std::filesystem::exists(options.store)) return NoPilotRun(experiment.name());
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(options.store));
  ASSIGN_OR_RETURN(const std::string run, options.pilot.empty()
                                              ? FindPilot(*store, experiment.name())
                                              : store->ResolveRun(options.pilot));
  ASSIGN_OR_RETURN(const RunData data, LoadRunData(*store, run));
  if (data.plan.pairing() != plan.pairing()) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("run ", run, " is no pilot of this experiment"))
        .Detail(absl::StrCat("it is paired '", PairingWord(data.plan.pairing()),
                             "', the file says '", PairingWord(plan.pairing()), "'"))
        .Try("run the experiment as it is now first");
  }
  ASSIGN_OR_RETURN(const v1::Report report, Analyse(data));
  ASSIGN_OR_RETURN(const Pilot pilot, ReadPilot(data, report));
  const size_t units_max = UnitsMax(plan.pairing());
  const auto sets_now = static_cast<size_t>(plan.sets());
  ASSIGN_OR_RETURN(const RunSizePlan best,
                   PlanRunSize(pilot.spreads, pilot.cost, wanted, units_max, sets_now));
  const auto units_now = static_cast<size_t>(MakeForecast(plan, {}).units_count);
  const RunSizeText text = {experiment.name(),
                            run,
                            pilot.refusal,
                            plan.pairing(),
                            units_max,
                            static_cast<size_t>(data.plan.sets()),
                            static_cast<size_t>(plan.cells_size())};
  const std::string lines =
      FormatRunSize(text, pilot.spreads, pilot.cost, wanted, best,
                    Expect(pilot.spreads, pilot.cost, wanted, units_now, sets_now));
  std::fputs(lines.c_str(), stdout);
  return 0;
}

absl::StatusOr<int> PrintPlan(const PlanOptions& options) {
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(const v1::Experiment experiment, LoadExperiment(options.file));
  if (options.IsForSize()) {
    ASSIGN_OR_RETURN(const v1::Plan plan,
                     MakePlan(experiment, options.seed.value_or(kExampleSeed)));
    return PrintRunSize(options, experiment, plan);
  }
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
  command->add_option("--for", options->half_width,
                      "how many processes and sets give a 95 % interval of ± this, such as 1% or "
                      "20us; from a run that is in the store");
  command->add_option("--to-see", options->effect,
                      "the same for a difference of this size to be found with 80 % probability");
  command->add_option("--pilot", options->pilot,
                      "the run to plan from with --for or --to-see: its id, its beginning, or "
                      "'last'; default: the newest complete one of this experiment");
  AddStoreOption(*command, &options->store);
  command->footer(
      "Examples: tare plan examples/preview-cost.yaml --operation 400us\n"
      "          tare plan examples/preview-cost.yaml --for 1%");
  command->callback([options, exit_code] {
    const absl::StatusOr<int> code = PrintPlan(*options);
    *exit_code = code.ok() ? *code : ComplainOfFile(code.status());
  });
}

}  // namespace tare::coordinator
