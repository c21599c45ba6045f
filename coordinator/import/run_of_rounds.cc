#include "coordinator/import/run_of_rounds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "coordinator/import/imported_run.h"

namespace tare::coordinator {
namespace {

constexpr char kDefaultControl[] = "control";

using ByRoundAndArm = std::map<std::pair<int32_t, std::string>, const MeasuredProcess*>;

std::set<std::string> ArmsIn(const std::vector<MeasuredProcess>& processes) {
  std::set<std::string> arms;
  for (const MeasuredProcess& process : processes) arms.insert(process.arm);
  return arms;
}

// Baseline, control where there is one, candidate.
absl::StatusOr<std::vector<std::string>> ChooseArms(const std::string& file,
                                                    const std::set<std::string>& present,
                                                    const ImportOptions& options) {
  std::vector<std::string> chosen = {options.baseline};
  if (options.control.has_value()) {
    chosen.push_back(*options.control);
  } else if (present.contains(kDefaultControl)) {
    chosen.push_back(kDefaultControl);
  }
  chosen.push_back(options.candidate);
  const auto wrong = [&](absl::string_view what) {
    return MakeError(absl::StatusCode::kInvalidArgument, absl::StrCat(file, ": ", what))
        .Detail(absl::StrCat("its arms are '", absl::StrJoin(present, "', '"), "'"));
  };
  if (std::set<std::string>(chosen.begin(), chosen.end()).size() < chosen.size()) {
    return wrong("two of baseline, control and candidate are the same arm")
        .Try("give each another name");
  }
  for (const std::string& arm : chosen) {
    if (present.contains(arm)) continue;
    return wrong(absl::StrCat("has no arm '", arm, "'"))
        .Try("say which is which with --baseline, --candidate and --control");
  }
  for (const std::string& arm : present) {
    if (std::find(chosen.begin(), chosen.end(), arm) != chosen.end()) continue;
    return wrong(absl::StrCat("arm '", arm, "' is none of ", absl::StrJoin(chosen, ", ")))
        .Try("name it with --control, or leave its lines out");
  }
  return chosen;
}

absl::StatusOr<ByRoundAndArm> Index(const std::vector<MeasuredProcess>& processes, int32_t skip) {
  FileErrors errors;
  ByRoundAndArm index;
  for (const MeasuredProcess& process : processes) {
    const auto [first, is_new] = index.emplace(std::pair(process.round, process.arm), &process);
    if (!is_new) {
      const FileLine& other = first->second->where;
      errors.Add(
          process.where,
          absl::StrCat("arm '", process.arm, "' of round ", process.round,
                       " is there a second time"),
          absl::StrCat("one process an arm and round; the first is ", other.file, ":", other.line));
    } else if (std::cmp_less_equal(process.values_ns.size(), skip)) {
      errors.Add(process.where,
                 absl::StrCat("has ", process.values_ns.size(), " samples, all skipped as warm-up"),
                 absl::StrCat("more samples than --skip ", skip));
    }
  }
  RETURN_IF_ERROR(errors.ToStatus());
  return index;
}

void AddCounter(const std::string& name, int64_t value, v1::ArmEvidence* evidence) {
  v1::Counter* counter = evidence->add_counters();
  counter->set_name(name);
  counter->set_value(value);
}

void AddProcess(const MeasuredProcess& process, uint32_t arm, int32_t skip, ImportedRun* run) {
  ProcessSamples samples;
  samples.round = process.round;
  samples.arms.assign(process.values_ns.size(), arm);
  samples.values_ns = process.values_ns;
  samples.warmup = skip;
  v1::ArmEvidence* evidence = run->AddTrial(samples);
  evidence->set_arm(process.arm);
  evidence->set_operations(static_cast<int64_t>(process.values_ns.size()));
  AddCounter("errors", process.errors, evidence);
  if (process.queries.has_value()) {
    const double total = *process.queries * static_cast<double>(process.values_ns.size());
    AddCounter("queries", std::llround(total), evidence);
  }
}

}  // namespace

absl::StatusOr<RunData> MakeRunOfRounds(const std::vector<MeasuredFile>& files,
                                        const std::vector<MeasuredProcess>& processes,
                                        const ImportOptions& options) {
  ASSIGN_OR_RETURN(const std::vector<std::string> arms,
                   ChooseArms(files.front().name, ArmsIn(processes), options));
  ASSIGN_OR_RETURN(const ByRoundAndArm index, Index(processes, options.skip));
  ImportedRun run(files, v1::PAIRING_ROUNDS, v1::ORDER_UNSPECIFIED);
  const std::string& baseline = arms.front();
  run.AddArm(baseline, v1::ARM_KIND_SUBJECT, "");
  if (arms.size() > 2) run.AddArm(arms[1], v1::ARM_KIND_CONTROL, baseline);
  run.AddArm(arms.back(), v1::ARM_KIND_SUBJECT, "");
  run.AddComparison(v1::COMPARISON_KIND_SUBJECT, baseline, arms.back());
  if (arms.size() > 2) run.AddComparison(v1::COMPARISON_KIND_CONTROL, baseline, arms[1]);
  std::set<int32_t> rounds;
  for (const auto& [key, process] : index) rounds.insert(key.first);
  for (int32_t round : rounds) {
    for (size_t arm = 0; arm < arms.size(); ++arm) {
      const auto found = index.find({round, arms[arm]});
      if (found == index.end()) {
        run.AddMissingTrial(round);
      } else {
        AddProcess(*found->second, static_cast<uint32_t>(arm), options.skip, &run);
      }
    }
  }
  return std::move(run).Take();
}

}  // namespace tare::coordinator
