// How often is tare wrong on this machine? Equal arms many times over, ladders of known delays, and
// the release gate on a server against itself: alone, and beside a neighbour that is busy at times.
//
// Asserts nothing: it writes a document.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/files.h"
#include "base/status.h"
#include "bench/calibrate/document.h"
#include "bench/calibrate/neighbour.h"
#include "bench/calibrate/tare_run.h"

namespace tare::calibrate {
namespace {

struct Options {
  Workplace workplace;
  std::string examples = "examples";
  std::string out = "docs/calibration-here.md";
  int equal_runs = 100;
  int gate_runs = 20;
};

// Two equal arms, judged as a gate at 5 %; its interval answers the other question.
constexpr char kEqualDesign[] =
    "arms: { one: , other: }\nthreshold: { relative: 5% }\ngates: off\n"
    "design: { processes: 6, sets: 50, warmup: 10, washout: 1 }\nchecks: { known_delay: off }\n";
constexpr char kEqualSpin[] =
    "name: equal-spin\nworkload: { command: tare-spin, config: { work_us: 50 } }\n";
constexpr char kEqualPreview[] =
    "name: equal-preview\nworkload: { command: tare-preview, config: { strategy: rollback, "
    "backend: sqlite, months: 24, plans: 10 } }\n";
constexpr char kSpinLadder[] =
    "name: ladder-spin\nworkload: { command: tare-spin, config: { work_us: 50 } }\narms: { spin: "
    "}\n"
    "gates: off\nladder: { delays: [0us, 1us, 2us, 5us, 10us, 25us, 50us, 100us], passes: 2 }\n"
    "design: { processes: 5, sets: 200, warmup: 20, washout: 1 }\n";

class Calibrator {
 public:
  explicit Calibrator(const Options& options) : options_(options) {
    calibration_.date = absl::FormatTime("%Y-%m-%d", absl::Now(), absl::UTCTimeZone());
  }

  absl::Status Run() {
    RETURN_IF_ERROR(WriteExperiments());
    RETURN_IF_ERROR(MeasureAll("alone"));
    {
      const Neighbour neighbour;
      RETURN_IF_ERROR(MeasureAll("beside a neighbour"));
    }
    return WriteFile(options_.out, FormatDocument(calibration_));
  }

 private:
  absl::Status WriteExperiments() {
    std::error_code error;
    std::filesystem::create_directories(options_.workplace.files, error);
    ASSIGN_OR_RETURN(equal_spin_, Write("equal-spin", absl::StrCat(kEqualSpin, kEqualDesign)));
    ASSIGN_OR_RETURN(equal_preview_,
                     Write("equal-preview", absl::StrCat(kEqualPreview, kEqualDesign)));
    ASSIGN_OR_RETURN(spin_ladder_, Write("ladder-spin", kSpinLadder));
    ASSIGN_OR_RETURN(std::string ladder, ReadFile(options_.examples + "/sensitivity.yaml"));
    ASSIGN_OR_RETURN(
        preview_ladder_,
        Write("ladder-preview",
              absl::StrReplaceAll(ladder, {{"study: [fixed, blocked]", "gates: off"}})));
    ASSIGN_OR_RETURN(std::string gate, ReadFile(options_.examples + "/loan-gate.yaml"));
    ASSIGN_OR_RETURN(
        gate_, Write("loan-gate", absl::StrReplaceAll(gate, {{"--version, b", "--version, a"}})));
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Write(const std::string& name, const std::string& yaml) {
    return WriteExperiment(options_.workplace, name, yaml);
  }

  absl::Status MeasureAll(const std::string& condition) {
    RETURN_IF_ERROR(Repeat("tare-spin", condition, equal_spin_, options_.equal_runs));
    RETURN_IF_ERROR(
        Repeat("tare-preview on SQLite", condition, equal_preview_, options_.equal_runs));
    RETURN_IF_ERROR(Climb("tare-spin", condition, spin_ladder_));
    RETURN_IF_ERROR(Climb("tare-preview on PostgreSQL", condition, preview_ladder_));
    return Repeat("examples/loan-gate.yaml, p95 of version a", condition, gate_,
                  options_.gate_runs);
  }

  absl::Status Repeat(const std::string& name, const std::string& condition,
                      const std::string& experiment, int count) {
    if (count == 0) return absl::OkStatus();
    Tally tally{.name = name, .condition = condition};
    const absl::Time begun = absl::Now();
    for (int i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(const nlohmann::json report, RunTare(options_.workplace, experiment));
      tally.Add(report);
      if (i == 0 || (i + 1) % 10 == 0) Say(name, condition, i + 1, count, begun);
    }
    calibration_.tallies.push_back(std::move(tally));
    return absl::OkStatus();
  }

  absl::Status Climb(const std::string& name, const std::string& condition,
                     const std::string& experiment) {
    const absl::Time begun = absl::Now();
    ASSIGN_OR_RETURN(nlohmann::json report, RunTare(options_.workplace, experiment));
    Say(absl::StrCat("ladder of ", name), condition, 1, 1, begun);
    calibration_.ladders.push_back({name, condition, std::move(report)});
    return absl::OkStatus();
  }

  static void Say(const std::string& name, const std::string& condition, int done, int count,
                  absl::Time begun) {
    std::fprintf(stderr, "%s, %s: %d of %d runs in %lld s\n", name.c_str(), condition.c_str(), done,
                 count, static_cast<long long>(absl::ToInt64Seconds(absl::Now() - begun)));
  }

  const Options options_;
  Calibration calibration_;
  std::string equal_spin_, equal_preview_, spin_ladder_, preview_ladder_, gate_;
};

int Main(int argc, char** argv) {
  Options options;
  options.workplace = {"build/bin", "build/calibrate"};
  CLI::App app("counts how often tare is wrong on this machine, and writes it down");
  app.add_option("--programs", options.workplace.programs, "directory of tare's programs")
      ->capture_default_str();
  app.add_option("--files", options.workplace.files, "directory for the runs")
      ->capture_default_str();
  app.add_option("--examples", options.examples, "directory of the examples")
      ->capture_default_str();
  app.add_option("--out", options.out, "the document")->capture_default_str();
  app.add_option("--equal", options.equal_runs, "runs of each workload with equal arms")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  app.add_option("--gate", options.gate_runs, "runs of the release gate against itself")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = Calibrator(options).Run();
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", FormatError(status).c_str());
  constexpr int kUnavailable = 69;
  return kUnavailable;
}

}  // namespace
}  // namespace tare::calibrate

int main(int argc, char** argv) { return tare::calibrate::Main(argc, argv); }
