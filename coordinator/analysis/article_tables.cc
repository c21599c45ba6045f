#include "coordinator/analysis/article_tables.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "coordinator/analysis/course.h"
#include "coordinator/analysis/rounds.h"
#include "stats/article.h"
#include "stats/decision_scan.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

constexpr double kTail = 0.95;
constexpr size_t kBlock = 100;
constexpr size_t kBlocks = 5;  // the last one has all the rest
constexpr size_t kDropped = 100;
constexpr size_t kScanTrials = 500;
constexpr size_t kScanRoundsMax = 8;
constexpr std::array<double, 4> kThresholds = {0.02, 0.05, 0.1, 0.2};
constexpr double kNsPerMs = 1e6;

struct ScanLine {
  size_t rounds;
  size_t dropped;
};
constexpr std::array<ScanLine, 7> kScanLines = {
    {{1, kDropped}, {2, kDropped}, {3, kDropped}, {5, kDropped}, {8, kDropped}, {1, 0}, {8, 0}}};

// One arm: its processes in the order of rounds, samples in ms in the order of sending.
struct Series {
  std::vector<std::vector<double>> rounds;
  int64_t errors = 0;
  int64_t operations = 0;
  std::optional<int64_t> queries;
};

struct Measured {
  Series baseline;
  Series control;
  Series candidate;
};

absl::Status Unfit(absl::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("--compat: the study's tables need ", what))
      .Try("leave out --compat for tare's own report");
}

void CountWork(const v1::TrialRecord& record, Series* series) {
  for (const v1::Process& process : record.processes()) {
    for (const v1::ArmEvidence& evidence : process.arms()) {
      series->operations += evidence.operations();
      for (const v1::Counter& counter : evidence.counters()) {
        if (counter.name() == "errors") series->errors += counter.value();
        if (counter.name() != "queries") continue;
        series->queries = series->queries.value_or(0) + counter.value();
      }
    }
  }
}

absl::StatusOr<Measured> ReadMeasured(const RunData& data) {
  const v1::Plan& plan = data.plan;
  if (plan.pairing() != v1::PAIRING_ROUNDS || plan.arms_size() != 3) {
    return Unfit("rounds of a baseline, a control and a candidate");
  }
  ASSIGN_OR_RETURN(const Rounds rounds, ReadRounds(data));
  if (static_cast<size_t>(rounds.rounds_counted) < kScanRoundsMax) {
    return Unfit(absl::StrCat("at least ", kScanRoundsMax, " complete rounds, and these are ",
                              rounds.rounds_counted));
  }
  Measured measured;
  for (const UsedTrial& trial : rounds.trials) {
    const v1::PlannedArm& arm = plan.arms(static_cast<int>(trial.samples.arms.front()));
    Series& series = arm.kind() == v1::ARM_KIND_CONTROL             ? measured.control
                     : arm.name() == plan.comparisons(0).baseline() ? measured.baseline
                                                                    : measured.candidate;
    std::vector<double> ms = CourseOf(plan, trial).values_ns;
    if (ms.size() <= (kBlocks - 1) * kBlock) {
      return Unfit(absl::StrCat("more than ", (kBlocks - 1) * kBlock,
                                " samples of every process, and ", NameTrial(plan, *trial.planned),
                                " has ", ms.size()));
    }
    for (double& value : ms) value /= kNsPerMs;
    series.rounds.push_back(std::move(ms));
    CountWork(trial.data->record, &series);
  }
  return measured;
}

// Samples [first, end) of all rounds; Requires: each round has samples from `first` on.
std::vector<double> Pool(const Series& series, size_t first, size_t end) {
  std::vector<double> pooled;
  for (const std::vector<double>& ms : series.rounds) {
    pooled.insert(pooled.end(), ms.begin() + static_cast<std::ptrdiff_t>(first),
                  ms.begin() + static_cast<std::ptrdiff_t>(std::min(end, ms.size())));
  }
  return pooled;
}

double TailOf(const std::vector<double>& values) { return *stats::Quantile(values, kTail); }
double MedianOf(const std::vector<double>& values) { return *stats::Quantile(values, 0.5); }

double PooledTail(const Series& series) { return TailOf(Pool(series, kDropped, SIZE_MAX)); }

std::vector<double> TailByRound(const Series& series, size_t dropped) {
  std::vector<double> tails;
  for (const std::vector<double>& ms : series.rounds) {
    tails.push_back(TailOf({ms.begin() + static_cast<std::ptrdiff_t>(dropped), ms.end()}));
  }
  return tails;
}

std::string Fixed(double value, int decimals) {
  return absl::StrFormat("%.*f", decimals, stats::RoundTiesUp(value, decimals));
}

std::string Queries(const Series& series) {
  if (!series.queries.has_value() || series.operations == 0) return "unknown";
  return absl::StrFormat(
      "%g", static_cast<double>(*series.queries) / static_cast<double>(series.operations));
}

std::string Heading(const Measured& measured) {
  std::vector<double> counts;
  for (const Series* series : {&measured.baseline, &measured.control, &measured.candidate}) {
    for (const std::vector<double>& ms : series->rounds) {
      counts.push_back(static_cast<double>(ms.size()));
    }
  }
  const int64_t failed =
      measured.baseline.errors + measured.control.errors + measured.candidate.errors;
  const double baseline = PooledTail(measured.baseline);
  const double candidate = PooledTail(measured.candidate);
  return absl::StrCat(measured.baseline.rounds.size(), " rounds, ", MedianOf(counts),
                      " requests per arm per round, ", failed,
                      " failed requests. Pooled p95: baseline ", Fixed(baseline, 2),
                      " ms, control ", Fixed(PooledTail(measured.control), 2), ", candidate ",
                      Fixed(candidate, 2), "; candidate/baseline ", Fixed(candidate / baseline, 2),
                      "x. Queries/request: baseline ", Queries(measured.baseline), ", candidate ",
                      Queries(measured.candidate), ".\n");
}

std::string WarmUpTable(const Measured& measured) {
  std::string text = absl::StrCat(
      "warm-up: every round's matching request blocks pooled, block size ", kBlock, " requests\n",
      "request block  baseline median  baseline p95(ms)  candidate p95(ms)\n");
  for (size_t i = 0; i < kBlocks; ++i) {
    const bool is_last = i + 1 == kBlocks;
    const size_t first = i * kBlock;
    const size_t end = is_last ? SIZE_MAX : first + kBlock;
    const std::string name = is_last ? absl::StrCat(first, "+") : absl::StrCat(first, "-", end - 1);
    const std::vector<double> baseline = Pool(measured.baseline, first, end);
    absl::StrAppendFormat(&text, "%-13s%17s%18s%19s\n", name, Fixed(MedianOf(baseline), 3),
                          Fixed(TailOf(baseline), 2),
                          Fixed(TailOf(Pool(measured.candidate, first, end)), 2));
  }
  return text;
}

std::string SpreadLine(absl::string_view name, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return absl::StrFormat("%-18s%8s%9s%10s%13s\n", name, Fixed(*low, 2), Fixed(MedianOf(values), 2),
                         Fixed(*high, 2), Fixed(*high / *low, 2));
}

std::vector<double> Ratios(const std::vector<double>& values, const std::vector<double>& bases) {
  std::vector<double> ratios;
  for (size_t i = 0; i < values.size(); ++i) ratios.push_back(values[i] / bases[i]);
  return ratios;
}

std::string SpreadTable(const Measured& measured) {
  const std::vector<double> baseline = TailByRound(measured.baseline, kDropped);
  return absl::StrCat(
      "per-round reading: one number per round, first ", kDropped, " requests dropped\n",
      "measure           min      median    max       spread factor\n",
      SpreadLine("baseline p95(ms)", baseline),
      SpreadLine("control/baseline", Ratios(TailByRound(measured.control, kDropped), baseline)),
      SpreadLine("candidate/baseline",
                 Ratios(TailByRound(measured.candidate, kDropped), baseline)));
}

absl::StatusOr<std::string> ScanTable(const Measured& measured) {
  stats::ArticleGenerator generator(stats::kArticleSeed);
  std::string text = absl::StrFormat(
      "decision scan: %d trials, seed %.0f; cell = false fail / false pass\n"
      "rounds/side  window                   threshold 2%%   threshold 5%%  threshold 10%%  "
      "threshold 20%%\n",
      kScanTrials, stats::kArticleSeed);
  for (const ScanLine& line : kScanLines) {
    const stats::ScanWindow window = {TailByRound(measured.baseline, line.dropped),
                                      TailByRound(measured.control, line.dropped),
                                      TailByRound(measured.candidate, line.dropped)};
    absl::StrAppendFormat(
        &text, "%7d  %-20s", line.rounds,
        line.dropped == 0 ? "with warm-up" : absl::StrCat("first ", line.dropped, " dropped"));
    for (double threshold : kThresholds) {
      ASSIGN_OR_RETURN(const stats::ScanCell cell,
                       stats::ScanDecisions(
                           window, {line.rounds, threshold, stats::DecideByMedians, kScanTrials},
                           [&generator] { return generator.Uniform(); }));
      absl::StrAppendFormat(
          &text, "%15s",
          absl::StrFormat("%3d/%3d", cell.false_fails.count, cell.false_passes.count));
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> FormatArticleTables(const RunData& data) {
  ASSIGN_OR_RETURN(const Measured measured, ReadMeasured(data));
  ASSIGN_OR_RETURN(const std::string scan, ScanTable(measured));
  return absl::StrCat(Heading(measured), "\n", WarmUpTable(measured), "\n", SpreadTable(measured),
                      "\n", scan);
}

}  // namespace tare::coordinator
