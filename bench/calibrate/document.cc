#include "bench/calibrate/document.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "stats/share.h"

namespace tare::calibrate {
namespace {

using Json = nlohmann::json;

constexpr double kConfidence = 0.95;

std::string Share(int64_t count, int64_t of) {
  const auto wilson =
      stats::WilsonInterval(static_cast<size_t>(count), static_cast<size_t>(of), kConfidence);
  if (!wilson.ok()) return absl::StrCat(count, " of ", of);
  return absl::StrFormat("%d of %d: %.1f %% [%.1f, %.1f]", count, of, 100 * wilson->value,
                         100 * wilson->low, 100 * wilson->high);
}

std::string Refusals(const Tally& tally) {
  if (tally.refusals.empty()) return "0";
  return absl::StrCat(tally.refused(), ": ",
                      absl::StrJoin(tally.refusals, ", ", [](std::string* out, const auto& entry) {
                        absl::StrAppend(out, entry.second, " `", entry.first, "`");
                      }));
}

void AddTallies(const Calibration& calibration, std::string* text) {
  absl::StrAppend(
      text,
      "\n## Equal arms\n\n"
      "Every run compares a program with itself, so every finding is false. A 95 % interval may\n"
      "leave 0 out in 5 of 100 runs, and the gate may call a regression in 1 of 100. In brackets\n"
      "Wilson's 95 % interval of the true rate. A refusal is no finding.\n\n"
      "| what | condition | interval leaves 0 out | regression (false) | pass or better | "
      "inconclusive | refused |\n|---|---|---|---|---|---|---|\n");
  for (const Tally& tally : calibration.tallies) {
    absl::StrAppend(text, "| ", tally.name, " | ", tally.condition, " | ",
                    Share(tally.excluding, tally.intervals), " | ",
                    Share(tally.regressions, tally.runs), " | ", tally.passed + tally.improvements,
                    " | ", tally.inconclusive, " | ", Refusals(tally), " |\n");
  }
}

std::string Number(const Json& value, double scale, const char* format) {
  if (!value.is_number()) return "-";
  return absl::StrFormat("%s", [&] {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value.get<double>() / scale);
    return std::string(buffer);
  }());
}

std::string Interval(const Json& estimate) {
  return absl::StrCat(Number(estimate["value_ns"], 1e3, "%.2f"), " [",
                      Number(estimate["low_ns"], 1e3, "%.2f"), ", ",
                      Number(estimate["high_ns"], 1e3, "%.2f"), "]");
}

std::string YesNo(const Json& flag) {
  if (!flag.is_boolean()) return "-";
  return flag.get<bool>() ? "yes" : "no";
}

void AddLadder(const LadderRun& run, std::string* text) {
  const Json& ladder = run.report["ladder"];
  absl::StrAppend(text, "\n### ", run.name, ", ", run.condition, "\n\n",
                  "| asked us | applied us | difference us, 95 % | seen | applied inside | "
                  "processes that see it | pooled pairs us | applied inside |\n"
                  "|---|---|---|---|---|---|---|---|\n");
  for (const Json& rung : ladder["rungs"]) {
    absl::StrAppend(text, "| ", Number(rung["asked_ns"], 1e3, "%g"), " | ",
                    Number(rung["applied_ns"], 1e3, "%.2f"), " | ", Interval(rung["estimate"]),
                    " | ", YesNo(rung["is_seen"]), " | ", YesNo(rung["is_contained"]), " | ",
                    rung["processes_seeing"].get<int>(), " of ", rung["processes"].get<int>(),
                    " | ", Interval(rung["pooled"]), " | ", YesNo(rung["is_contained_in_pooled"]),
                    " |\n");
  }
  absl::StrAppend(
      text, "\nResponse ", Number(ladder["slope"], 1, "%.4f"), " [",
      Number(ladder["slope_low"], 1, "%.4f"), ", ", Number(ladder["slope_high"], 1, "%.4f"),
      "]; carry-over ", Number(ladder["carry_over"], 1, "%+.4f"), " [",
      Number(ladder["carry_over_low"], 1, "%+.4f"), ", ",
      Number(ladder["carry_over_high"], 1, "%+.4f"), "] us a us; smallest visible (80 %) ",
      Number(ladder["visible"]["value_ns"], 1e3, "%.2f"), " us from equal arms, ",
      Number(ladder["visible_from_rungs"]["value_ns"], 1e3, "%.2f"),
      " us from all rungs. Verdict: ", run.report["verdict"].get<std::string>(), ".\n");
}

std::string MachineText(const Calibration& calibration) {
  for (const LadderRun& run : calibration.ladders) {
    for (const Json& machine : run.report["machines"]) {
      return absl::StrFormat("%s, %d CPUs, kernel %s, tare %s",
                             machine["cpu_model"].get<std::string>(),
                             machine["cpus_count"].get<int>(), machine["kernel"].get<std::string>(),
                             run.report["version"].get<std::string>());
    }
  }
  return "unknown";
}

}  // namespace

void Tally::Add(const Json& report) {
  ++runs;
  if (!report["comparisons"].empty()) {
    const Json& ratio = report["comparisons"][0]["ratio"];
    if (ratio["low"].is_number() && ratio["high"].is_number()) {
      ++intervals;
      excluding += ratio["low"] > 1 || ratio["high"] < 1;
    }
  }
  const std::string verdict = report["verdict"];
  if (verdict == "refused") {
    std::string code = "unknown";
    if (!report["refusals"].empty()) {
      code = report["refusals"][0]["code"];
    } else {
      for (const Json& comparison : report["comparisons"]) {
        if (comparison["refusals"].empty()) continue;
        code = comparison["refusals"][0]["code"];
        break;
      }
    }
    ++refusals[code];
  }
  regressions += verdict == "regression";
  improvements += verdict == "improvement";
  inconclusive += verdict == "inconclusive";
  passed += verdict == "pass" || verdict == "equivalent";
}

int64_t Tally::refused() const {
  int64_t count = 0;
  for (const auto& [code, runs_with_it] : refusals) count += runs_with_it;
  return count;
}

std::string FormatDocument(const Calibration& calibration) {
  std::string text = absl::StrCat(
      "# Calibration on one machine\n\n"
      "Written by `./dev calibrate` on ",
      calibration.date, ": ", MachineText(calibration),
      ".\n");
  if (!calibration.tallies.empty()) AddTallies(calibration, &text);
  if (!calibration.ladders.empty()) {
    absl::StrAppend(&text,
                    "\n## Known delays\n\n"
                    "Ten processes a rung. What is seen and what contains the delay that was "
                    "really applied.\n");
  }
  for (const LadderRun& run : calibration.ladders) AddLadder(run, &text);
  return text;
}

}  // namespace tare::calibrate
