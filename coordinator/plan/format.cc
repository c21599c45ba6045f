#include "coordinator/plan/format.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/enum_word.h"
#include "base/units.h"
#include "coordinator/plan/lines.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

constexpr int kTrialsShown = 12;
constexpr size_t kCellColumnsMax = 32;

std::string Shorten(absl::string_view text, size_t columns) {
  if (ColumnsOf(text) <= columns) return std::string(text);
  size_t end = 0;
  for (size_t width = 0; end < text.size(); ++end) {
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && ++width == columns) break;
  }
  return absl::StrCat(text.substr(0, end), "…");
}

std::string ValueText(const v1::ConfigValue& value) {
  switch (value.value_case()) {
    case v1::ConfigValue::kInteger:
      return absl::StrCat(value.integer());
    case v1::ConfigValue::kReal:
      return fmt::format("{}", value.real());
    case v1::ConfigValue::kFlag:
      return value.flag() ? "true" : "false";
    case v1::ConfigValue::kList:
      return absl::StrCat("[", absl::StrJoin(value.list().values(), ", "), "]");
    default:
      return value.text();
  }
}

std::string CellText(const v1::Cell& cell) {
  if (cell.has_delay_ns()) return absl::StrCat("delay ", FormatDurationExact(cell.delay_ns()));
  std::vector<std::string> levels;
  for (const v1::ConfigValue& level : cell.levels()) {
    levels.push_back(absl::StrCat(level.name(), " ", ValueText(level)));
  }
  return levels.empty() ? "-" : absl::StrJoin(levels, ", ");
}

// With what tells an added arm from the one that it repeats.
std::string ArmText(const v1::PlannedArm& arm, bool is_ladder) {
  switch (arm.kind()) {
    case v1::ARM_KIND_CONTROL:
      return absl::StrCat(arm.name(), " (", arm.repeats(), " again)");
    case v1::ARM_KIND_KNOWN_DELAY: {
      if (is_ladder) return absl::StrCat(arm.name(), " (", arm.repeats(), " and a wait)");
      const std::string wait =
          arm.known_delay_ns() < 0
              ? fmt::format("{:g} % of its warm-up median",
                            static_cast<double>(arm.known_delay_share_ppm()) / 1e4)
              : FormatDurationExact(arm.known_delay_ns());
      return absl::StrCat(arm.name(), " (", arm.repeats(), " and a wait of ", wait, ")");
    }
    default:
      return arm.name();
  }
}

absl::string_view OrderText(v1::Order order) {
  switch (order) {
    case v1::ORDER_RANDOM:
      return "random, every arm in every position equally often";
    case v1::ORDER_BALANCED:
      return "balanced, every arm follows every arm equally often";
    case v1::ORDER_FIXED:
      return "fixed: effects cannot be told from position, for study only";
    default:
      return "blocked: effects cannot be told from time, for study only";
  }
}

absl::string_view PairingText(v1::Pairing pairing) {
  switch (pairing) {
    case v1::PAIRING_ROUNDS:
      return "rounds: a fresh process for each arm";
    case v1::PAIRING_LOCKSTEP:
      return "lockstep: a fresh process for each arm, all alive at once, sample by sample";
    default:
      return "in-process: a fresh process for each trial hosts all arms";
  }
}

// After which rounds the run may end; empty when only after the last.
std::string LooksText(const v1::Plan& plan, const v1::Experiment& experiment) {
  if (plan.looks().empty()) return "";
  if (experiment.stop().open_ended() == v1::SWITCH_ON) {
    return LabelLine("looks", absl::StrCat("after every round; a session measures ",
                                           Counted(experiment.design().rounds(), "round")));
  }
  return LabelLine("looks", absl::StrCat("after ", absl::StrJoin(plan.looks(), ", "),
                                         " rounds, and ends at the first that decides"));
}

std::string WordOf(v1::Order order) {
  return YamlWord(v1::Order_descriptor()->FindValueByNumber(order));
}

// Empty without a ladder.
std::string LadderText(const v1::Plan& plan, const v1::Experiment& experiment) {
  if (plan.rounds_per_pass() == 0) return "";
  const v1::Ladder& ladder = experiment.ladder();
  std::vector<std::string> rungs;
  for (const v1::Cell& cell : plan.cells()) rungs.push_back(FormatDurationExact(cell.delay_ns()));
  std::string text = absl::StrCat(
      "waits of ", absl::StrJoin(rungs, ", "), " at the ",
      YamlWord(v1::DelayPlace_descriptor()->FindValueByNumber(ladder.at())), " of the operation; ",
      ladder.passes(), ladder.passes() == 1 ? " pass of " : " passes of ",
      Counted(plan.rounds_per_pass(), "round"));
  for (const int order : experiment.study()) {
    absl::StrAppend(&text, ", ", WordOf(static_cast<v1::Order>(order)), " order beside it");
  }
  return LabelLine("ladder", text);
}

std::string SamplesText(const v1::Plan& plan) {
  const bool is_in_rounds = plan.pairing() == v1::PAIRING_ROUNDS;
  const int64_t arms_count = is_in_rounds ? 1 : plan.arms_size();
  std::string text =
      absl::StrCat(Counted((plan.warmup_sets() + plan.sets()) * arms_count, "sample"),
                   " a trial: ", plan.warmup_sets(), " warm-up and ", plan.sets(),
                   " timed sets of ", Counted(arms_count, "arm"));
  if (plan.iterations() > 1) {
    absl::StrAppend(&text, ", ", Counted(plan.iterations(), "operation"), " a sample");
  }
  if (plan.washout() > 0) {
    absl::StrAppend(&text, ", ", Counted(plan.washout(), "untimed operation"), " before each");
  }
  return text;
}

std::string TimeText(const v1::Plan& plan, const Forecast& forecast) {
  const std::string trials = Counted(plan.trials_size(), "trial");
  const std::string operations = Counted(forecast.operations_count, "operation");
  if (forecast.duration_ns.has_value()) {
    return absl::StrCat("about ", FormatLong(*forecast.duration_ns), " for ", trials, " with ",
                        operations);
  }
  constexpr double kExampleNs = 1e6;
  const double example_ns =
      forecast.overhead_ns + static_cast<double>(forecast.operations_count) * kExampleNs;
  return absl::StrCat(
      "about ", FormatLong(forecast.overhead_ns), " to start and check ", trials, ", and ",
      operations, " of unknown length; if each takes 1 ms: ", FormatLong(example_ns), " in all");
}

std::string VisibleText(const v1::Plan& plan, const Forecast& forecast) {
  const absl::string_view unit = plan.pairing() == v1::PAIRING_ROUNDS ? "round" : "process";
  if (!forecast.visible_spreads.has_value()) {
    return absl::StrCat("nothing can be said: an interval needs 3 units at least, here ",
                        forecast.units_count);
  }
  if (forecast.visible_ns.has_value()) {
    return absl::StrCat("with 80 % probability a difference of ",
                        FormatDuration(*forecast.visible_ns), ", going by the last run");
  }
  return fmt::format(
      "with 80 % probability a difference of {:.2f} times its own spread from {} to {} (standard "
      "deviation over {} of them); where that is 1 %, a difference of {:.2g} %",
      *forecast.visible_spreads, std::string(unit), std::string(unit), forecast.units_count,
      *forecast.visible_spreads);
}

// What runs in a trial: its arm, or the order of its first timed set.
std::string TrialText(const v1::Plan& plan, const v1::Trial& trial) {
  if (plan.pairing() == v1::PAIRING_ROUNDS) return trial.roles(0).arm();
  if (trial.studied_order() != v1::ORDER_UNSPECIFIED) {
    return absl::StrCat("in ", WordOf(trial.studied_order()), " order");
  }
  std::vector<absl::string_view> names;
  const int start = plan.warmup_sets() * plan.arms_size();
  for (int i = 0; i < plan.arms_size(); ++i) {
    names.push_back(plan.arms(static_cast<int>(trial.sample_arms(start + i))).name());
  }
  return absl::StrJoin(names, " ");
}

std::string TrialTable(const v1::Plan& plan) {
  std::vector<std::string> cells;
  size_t cell_columns = 4;
  for (const v1::Cell& cell : plan.cells()) {
    cells.push_back(Shorten(CellText(cell), kCellColumnsMax));
    cell_columns = std::max(cell_columns, ColumnsOf(cells.back()));
  }
  const bool is_in_rounds = plan.pairing() == v1::PAIRING_ROUNDS;
  std::string table = fmt::format("trial  round  {:<{}}  {}\n", "cell", cell_columns,
                                  is_in_rounds ? "arm" : "first timed samples");
  const size_t rest_columns = kColumns - 16 - cell_columns;
  for (const v1::Trial& trial : plan.trials()) {
    if (trial.trial() == kTrialsShown) {
      absl::StrAppend(&table, "and ", Counted(plan.trials_size() - kTrialsShown, "more trial"),
                      "\n");
      break;
    }
    const std::string& cell = cells[static_cast<size_t>(trial.cell())];
    absl::StrAppend(&table, fmt::format("{:>5}  {:>5}  ", trial.trial(), trial.round()), cell,
                    std::string(cell_columns - ColumnsOf(cell) + 2, ' '),
                    Shorten(TrialText(plan, trial), rest_columns), "\n");
  }
  return table;
}

}  // namespace

std::string FormatPlan(const v1::Plan& plan, const v1::Experiment& experiment,
                       const Forecast& forecast) {
  const bool is_in_rounds = plan.pairing() == v1::PAIRING_ROUNDS;
  std::vector<std::string> arms;
  for (const v1::PlannedArm& arm : plan.arms()) {
    arms.push_back(ArmText(arm, plan.rounds_per_pass() > 0));
  }
  std::string text = absl::StrCat(experiment.name(), "\n");
  if (experiment.has_question()) absl::StrAppend(&text, FillLines("", experiment.question(), 0));
  std::string trials = absl::StrCat(Counted(plan.trials_size(), "trial"), ": ",
                                    Counted(forecast.units_count, "round"), " of ",
                                    Counted(plan.cells_size(), "cell"));
  if (is_in_rounds) absl::StrAppend(&trials, " and ", Counted(plan.arms_size(), "arm"));
  absl::StrAppend(
      &text, "\n", LabelLine("trials", trials), LabelLine("pairing", PairingText(plan.pairing())),
      LooksText(plan, experiment), LadderText(plan, experiment),
      LabelLine("arms", absl::StrJoin(arms, ", ")), LabelLine("samples", SamplesText(plan)),
      LabelLine("order", OrderText(plan.order())), LabelLine("seed", absl::StrCat(plan.seed())),
      LabelLine("takes", TimeText(plan, forecast)),
      LabelLine("should see", VisibleText(plan, forecast)), "\n", TrialTable(plan));
  return text;
}

}  // namespace tare::coordinator
