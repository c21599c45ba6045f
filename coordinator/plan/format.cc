#include "coordinator/plan/format.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/units.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

constexpr size_t kColumns = 80;
constexpr size_t kLabelColumns = 13;
constexpr int kTrialsShown = 12;
constexpr size_t kCellColumnsMax = 32;

// Characters, not bytes.
size_t WidthOf(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string Shorten(absl::string_view text, size_t columns) {
  if (WidthOf(text) <= columns) return std::string(text);
  size_t end = 0;
  for (size_t width = 0; end < text.size(); ++end) {
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && ++width == columns) break;
  }
  return absl::StrCat(text.substr(0, end), "…");
}

// Fills lines with the words of `text`; lines after the first begin with `indent` spaces.
std::string Wrap(absl::string_view first, absl::string_view text, size_t indent) {
  std::string lines(first);
  size_t column = WidthOf(first);
  bool is_line_empty = true;
  for (absl::string_view word : absl::StrSplit(text, absl::ByAnyChar(" \n\t"), absl::SkipEmpty())) {
    if (!is_line_empty && column + 1 + WidthOf(word) > kColumns) {
      absl::StrAppend(&lines, "\n", std::string(indent, ' '));
      column = indent;
      is_line_empty = true;
    }
    absl::StrAppend(&lines, is_line_empty ? "" : " ", word);
    column += WidthOf(word) + (is_line_empty ? 0 : 1);
    is_line_empty = false;
  }
  return lines + "\n";
}

std::string Line(absl::string_view label, absl::string_view text) {
  const std::string first =
      absl::StrCat(label, std::string(kLabelColumns - std::min(kLabelColumns, label.size()), ' '));
  return Wrap(first, text, kLabelColumns);
}

std::string Count(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// "45 s", "12 min", "3.5 h"
std::string FormatLong(double duration_ns) {
  const double seconds = duration_ns / 1e9;
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
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
  std::vector<std::string> levels;
  for (const v1::ConfigValue& level : cell.levels()) {
    levels.push_back(absl::StrCat(level.name(), " ", ValueText(level)));
  }
  return levels.empty() ? "-" : absl::StrJoin(levels, ", ");
}

// With what tells an added arm from the one that it repeats.
std::string ArmText(const v1::PlannedArm& arm) {
  switch (arm.kind()) {
    case v1::ARM_KIND_CONTROL:
      return absl::StrCat(arm.name(), " (", arm.repeats(), " again)");
    case v1::ARM_KIND_KNOWN_DELAY: {
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
    return Line("looks", absl::StrCat("after every round; a session measures ",
                                      Count(experiment.design().rounds(), "round")));
  }
  return Line("looks", absl::StrCat("after ", absl::StrJoin(plan.looks(), ", "),
                                    " rounds, and ends at the first that decides"));
}

std::string SamplesText(const v1::Plan& plan) {
  const bool is_in_rounds = plan.pairing() == v1::PAIRING_ROUNDS;
  const int64_t arms_count = is_in_rounds ? 1 : plan.arms_size();
  std::string text = absl::StrCat(Count((plan.warmup_sets() + plan.sets()) * arms_count, "sample"),
                                  " a trial: ", plan.warmup_sets(), " warm-up and ", plan.sets(),
                                  " timed sets of ", Count(arms_count, "arm"));
  if (plan.iterations() > 1) {
    absl::StrAppend(&text, ", ", Count(plan.iterations(), "operation"), " a sample");
  }
  if (plan.washout() > 0) {
    absl::StrAppend(&text, ", ", Count(plan.washout(), "untimed operation"), " before each");
  }
  return text;
}

std::string TimeText(const v1::Plan& plan, const Forecast& forecast) {
  const std::string trials = Count(plan.trials_size(), "trial");
  const std::string operations = Count(forecast.operations_count, "operation");
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
    cell_columns = std::max(cell_columns, WidthOf(cells.back()));
  }
  const bool is_in_rounds = plan.pairing() == v1::PAIRING_ROUNDS;
  std::string table = fmt::format("trial  round  {:<{}}  {}\n", "cell", cell_columns,
                                  is_in_rounds ? "arm" : "first timed samples");
  const size_t rest_columns = kColumns - 16 - cell_columns;
  for (const v1::Trial& trial : plan.trials()) {
    if (trial.trial() == kTrialsShown) {
      absl::StrAppend(&table, "and ", Count(plan.trials_size() - kTrialsShown, "more trial"), "\n");
      break;
    }
    const std::string& cell = cells[static_cast<size_t>(trial.cell())];
    absl::StrAppend(&table, fmt::format("{:>5}  {:>5}  ", trial.trial(), trial.round()), cell,
                    std::string(cell_columns - WidthOf(cell) + 2, ' '),
                    Shorten(TrialText(plan, trial), rest_columns), "\n");
  }
  return table;
}

}  // namespace

std::string FormatPlan(const v1::Plan& plan, const v1::Experiment& experiment,
                       const Forecast& forecast) {
  const bool is_in_rounds = plan.pairing() == v1::PAIRING_ROUNDS;
  std::vector<std::string> arms;
  for (const v1::PlannedArm& arm : plan.arms()) arms.push_back(ArmText(arm));
  std::string text = absl::StrCat(experiment.name(), "\n");
  if (experiment.has_question()) absl::StrAppend(&text, Wrap("", experiment.question(), 0));
  std::string trials =
      absl::StrCat(Count(plan.trials_size(), "trial"), ": ", Count(forecast.units_count, "round"),
                   " of ", Count(plan.cells_size(), "cell"));
  if (is_in_rounds) absl::StrAppend(&trials, " and ", Count(plan.arms_size(), "arm"));
  absl::StrAppend(&text, "\n", Line("trials", trials), Line("pairing", PairingText(plan.pairing())),
                  LooksText(plan, experiment), Line("arms", absl::StrJoin(arms, ", ")),
                  Line("samples", SamplesText(plan)), Line("order", OrderText(plan.order())),
                  Line("seed", absl::StrCat(plan.seed())), Line("takes", TimeText(plan, forecast)),
                  Line("should see", VisibleText(plan, forecast)), "\n", TrialTable(plan));
  return text;
}

}  // namespace tare::coordinator
