#include "coordinator/import/run_of_pairs.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "coordinator/import/imported_run.h"

namespace tare::coordinator {
namespace {

constexpr uint32_t kBaseline = 0;
constexpr uint32_t kCandidate = 1;

using ByProcess = std::map<int32_t, std::vector<const MeasuredPair*>>;

v1::Order OrderOf(const std::vector<MeasuredPair>& pairs) {
  bool is_baseline_ever_first = false;
  bool is_candidate_ever_first = false;
  for (const MeasuredPair& pair : pairs) {
    if (!pair.is_baseline_first.has_value()) return v1::ORDER_UNSPECIFIED;
    (*pair.is_baseline_first ? is_baseline_ever_first : is_candidate_ever_first) = true;
  }
  return is_baseline_ever_first && is_candidate_ever_first ? v1::ORDER_RANDOM : v1::ORDER_FIXED;
}

absl::StatusOr<ByProcess> SplitByProcess(const std::vector<MeasuredPair>& pairs, int32_t skip) {
  FileErrors errors;
  ByProcess processes;
  for (const MeasuredPair& pair : pairs) {
    std::vector<const MeasuredPair*>& process = processes[pair.process];
    if (!process.empty() && process.back()->where.file != pair.where.file) {
      errors.Add(pair.where,
                 absl::StrCat("process ", pair.process, " is another one in '",
                              process.back()->where.file, "'"),
                 "a number of its own for each process");
    }
    process.push_back(&pair);
  }
  for (const auto& [number, process] : processes) {
    if (std::cmp_greater(process.size(), skip)) continue;
    errors.Add(process.back()->where,
               absl::StrCat("process ", number, " ends with ", process.size(),
                            " pairs, all skipped as warm-up"),
               absl::StrCat("more pairs than --skip ", skip));
  }
  RETURN_IF_ERROR(errors.ToStatus());
  return processes;
}

ProcessSamples SamplesOf(int32_t process, const std::vector<const MeasuredPair*>& pairs,
                         bool is_order_known, int32_t skip) {
  const bool has_applied = std::any_of(pairs.begin(), pairs.end(), [](const MeasuredPair* pair) {
    return pair->applied_ns.has_value();
  });
  ProcessSamples samples;
  samples.round = process;
  samples.warmup = int64_t{2} * skip;
  const auto add = [&](const MeasuredPair& pair, uint32_t arm) {
    const bool is_candidate = arm == kCandidate;
    samples.arms.push_back(arm);
    samples.values_ns.push_back(is_candidate ? pair.candidate_ns : pair.baseline_ns);
    if (has_applied) samples.applied_ns.push_back(is_candidate ? pair.applied_ns.value_or(0) : 0);
  };
  for (const MeasuredPair* pair : pairs) {
    const bool is_baseline_first = !is_order_known || pair->is_baseline_first.value_or(true);
    add(*pair, is_baseline_first ? kBaseline : kCandidate);
    add(*pair, is_baseline_first ? kCandidate : kBaseline);
  }
  return samples;
}

}  // namespace

absl::StatusOr<RunData> MakeRunOfPairs(const std::vector<MeasuredFile>& files,
                                       const std::vector<MeasuredPair>& pairs,
                                       const ImportOptions& options) {
  ASSIGN_OR_RETURN(const ByProcess processes, SplitByProcess(pairs, options.skip));
  const v1::Order order = OrderOf(pairs);
  ImportedRun run(files, v1::PAIRING_IN_PROCESS, order);
  run.AddArm(options.baseline, v1::ARM_KIND_SUBJECT, "");
  run.AddArm(options.candidate, v1::ARM_KIND_SUBJECT, "");
  run.AddComparison(v1::COMPARISON_KIND_SUBJECT, options.baseline, options.candidate);
  for (const auto& [number, process] : processes) {
    run.AddTrial(SamplesOf(number, process, order != v1::ORDER_UNSPECIFIED, options.skip));
  }
  return std::move(run).Take();
}

}  // namespace tare::coordinator
