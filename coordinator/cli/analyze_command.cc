// `tare analyze`: data that was measured elsewhere, judged like a run of tare's own.

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/enum_word.h"
#include "base/files.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/article_tables.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/report_output.h"
#include "coordinator/import/import.h"

namespace tare::coordinator {
namespace {

struct AnalyzeOptions {
  std::vector<std::string> files;
  ImportOptions import;
  std::string control;  // empty: none named
  std::string threshold;
  std::string absolute;
  bool is_strict = false;
  std::vector<std::string> metrics;
  std::string json;
  bool is_compat = false;
};

// What samples alone can say.
constexpr std::array kMetrics = {v1::METRIC_LATENCY, v1::METRIC_P50, v1::METRIC_P90, v1::METRIC_P95,
                                 v1::METRIC_P99};

std::string WordOf(v1::Metric metric) {
  return YamlWord(v1::Metric_descriptor()->FindValueByNumber(metric));
}

std::vector<std::string> MetricWords() {
  std::vector<std::string> words;
  for (const v1::Metric metric : kMetrics) words.push_back(WordOf(metric));
  return words;
}

v1::Metric MetricOf(const std::string& word) {
  for (const v1::Metric metric : kMetrics) {
    if (word == WordOf(metric)) return metric;
  }
  return v1::METRIC_UNSPECIFIED;
}

absl::StatusOr<std::vector<MeasuredFile>> ReadFiles(const std::vector<std::string>& names) {
  std::vector<MeasuredFile> files;
  for (const std::string& name : names) {
    absl::StatusOr<std::string> text = ReadFile(name, kMeasuredFileBytesMax);
    if (absl::IsResourceExhausted(text.status())) {
      return MakeError(absl::StatusCode::kInvalidArgument, text.status().message())
          .Try("split it by processes or rounds, and analyse a part");
    }
    if (!text.ok()) return MakeError(absl::StatusCode::kNotFound, text.status().message());
    files.push_back({name, *std::move(text)});
  }
  return files;
}

absl::Status SetThreshold(const AnalyzeOptions& options, v1::Experiment* experiment) {
  if (!options.threshold.empty()) {
    const absl::StatusOr<int64_t> ppm = ParsePercentPpm(options.threshold);
    if (!ppm.ok()) return Annotate(ppm.status(), "--threshold");
    experiment->mutable_threshold()->set_relative_ppm(*ppm);
  }
  if (!options.absolute.empty()) {
    const absl::StatusOr<int64_t> ns = ParseDurationNs(options.absolute);
    if (!ns.ok()) return Annotate(ns.status(), "--absolute");
    experiment->mutable_threshold()->set_absolute_ns(*ns);
  }
  if (!options.is_strict) return absl::OkStatus();
  if (!experiment->has_threshold()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "--strict has no threshold to exceed")
        .Try("add --threshold 5% or --absolute 0.1ms");
  }
  experiment->mutable_threshold()->set_strict(v1::SWITCH_ON);
  return absl::OkStatus();
}

absl::Status SetMetrics(const std::vector<std::string>& words, v1::Experiment* experiment) {
  const bool is_round = experiment->design().pairing() == v1::PAIRING_ROUNDS;
  for (const std::string& word : words) {
    if (!is_round && word != "latency") {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("--metric ", word, " is one of rounds, and these are pairs"))
          .Detail("pairs are compared sample by sample, which a quantile is not")
          .Try("leave it out");
    }
    experiment->add_metrics(MetricOf(word));
  }
  if (words.empty()) experiment->add_metrics(is_round ? v1::METRIC_P95 : v1::METRIC_LATENCY);
  return absl::OkStatus();
}

absl::StatusOr<int> Analyze(AnalyzeOptions& options) {
  if (!options.control.empty()) options.import.control = options.control;
  ASSIGN_OR_RETURN(std::vector<MeasuredFile> files, ReadFiles(options.files));
  ASSIGN_OR_RETURN(RunData data, Import(std::move(files), options.import));
  RETURN_IF_ERROR(SetThreshold(options, &data.experiment));
  RETURN_IF_ERROR(SetMetrics(options.metrics, &data.experiment));
  if (options.is_compat) {
    ASSIGN_OR_RETURN(const std::string tables, FormatArticleTables(data));
    std::fputs(tables.c_str(), stdout);
    return 0;
  }
  ASSIGN_OR_RETURN(const v1::Report report, Analyse(data));
  RETURN_IF_ERROR(PrintReport(report, /*store=*/"", options.json));
  return report.exit_code();
}

}  // namespace

void AddAnalyzeCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("analyze", "judge data that was measured elsewhere, in rounds or pairs");
  auto options = std::make_shared<AnalyzeOptions>();
  command
      ->add_option("files", options->files,
                   "JSON lines of rounds or CSV of pairs; several files are one set of data")
      ->required();
  command->add_option("--threshold", options->threshold,
                      "from which change of the baseline on a slowdown matters, such as 5%");
  command->add_option("--absolute", options->absolute,
                      "the same as a time, such as 0.1ms; with both, a regression exceeds both");
  command->add_flag("--strict", options->is_strict,
                    "a regression must be shown to exceed the threshold");
  command
      ->add_option("--skip", options->import.skip,
                   "so many samples (or pairs) at the beginning of each process are warm-up")
      ->check(CLI::Range(0, 100'000'000))
      ->capture_default_str();
  command
      ->add_option("--metric", options->metrics,
                   "latency (the median), p50, p90, p95 or p99; repeatable; p95 unless said")
      ->check(CLI::IsMember(MetricWords()))
      ->allow_extra_args(false);
  command->add_option("--baseline", options->import.baseline, "its name in the data")
      ->capture_default_str();
  command->add_option("--candidate", options->import.candidate, "its name in the data")
      ->capture_default_str();
  command->add_option("--control", options->control,
                      "the baseline once more; 'control' where the data have it");
  command->add_option("--json", options->json, "also write the report to this file as JSON");
  // What judges has no part in the tables, which judge nothing.
  CLI::Option* compat =
      command->add_flag("--compat", options->is_compat,
                        "print the tables of the published study of gates instead of a report");
  for (const char* other :
       {"--threshold", "--absolute", "--strict", "--skip", "--metric", "--json"}) {
    compat->excludes(other);
  }
  command->footer(
      "Exit codes: 0 not slower · 1 regression · 2 cannot tell · 3 refused · 64 bad data\n"
      "Example: tare analyze rounds.jsonl --threshold 5% --skip 100");
  command->callback([options, exit_code] {
    const absl::StatusOr<int> code = Analyze(*options);
    *exit_code = code.ok() ? *code : Complain(code.status());
  });
}

}  // namespace tare::coordinator
