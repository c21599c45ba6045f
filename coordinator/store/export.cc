#include "coordinator/store/export.h"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status.h"
#include "coordinator/store/export_trial.h"
#include "coordinator/store/received_chunk.h"
#include "google/protobuf/repeated_field.h"

namespace tare::coordinator {
namespace {

std::vector<std::string> Columns(const ExportedRun& exported, const std::vector<std::string>& own) {
  std::vector<std::string> columns = exported.columns;
  columns.insert(columns.end(), own.begin(), own.end());
  return columns;
}

// A proto3 `optional` of `message`, absent when it is not set.
template <typename Message, typename Value>
RowValue Optional(const Message& message, bool (Message::*has)() const,
                  Value (Message::*get)() const) {
  if (!(message.*has)()) return std::monostate();
  if constexpr (std::is_same_v<Value, double>) {
    return (message.*get)();
  } else {
    return int64_t{(message.*get)()};
  }
}

// "CHECK_STATUS_NOT_RUN" → "not_run".
std::string Word(absl::string_view enum_name, absl::string_view prefix) {
  return absl::AsciiStrToLower(absl::StripPrefix(enum_name, prefix));
}

// The names of all steps that occur, in the order of their first appearance.
absl::StatusOr<std::vector<std::string>> StepNames(Store& store, const ExportedRun& exported) {
  std::vector<std::string> names;
  for (const AttemptSummary& attempt : exported.attempts) {
    RETURN_IF_ERROR(store.ReadBlocks(exported.run, attempt.trial, attempt.attempt,
                                     [&names](const std::string&, const v1::SampleBlock& block) {
                                       for (const v1::StepColumn& step : block.steps()) {
                                         if (std::find(names.begin(), names.end(), step.name()) ==
                                             names.end()) {
                                           names.push_back(step.name());
                                         }
                                       }
                                       return absl::OkStatus();
                                     }));
  }
  return names;
}

// Value `i` of a column, absent when there is no such column.
void AppendCell(const google::protobuf::RepeatedField<int64_t>* column, int i,
                std::vector<RowValue>* values) {
  if (column == nullptr) {
    values->emplace_back();
  } else {
    values->emplace_back(int64_t{column->Get(i)});
  }
}

// Writes the samples of one attempt, block after block.
class SampleRows {
 public:
  SampleRows(const ExportedRun& exported, const AttemptSummary& attempt,
             const std::vector<std::string>& step_names, RowWriter* writer)
      : exported_(exported),
        attempt_(attempt),
        step_names_(step_names),
        trial_values_(TrialValues(exported, attempt)),
        writer_(writer) {}

  absl::Status Write(const std::string& role, const v1::SampleBlock& block) {
    const std::vector<const v1::StepColumn*> steps = StepsOf(block);
    Progress& progress = progress_by_role_[role];
    if (progress.block != block.block()) {
      // Only the first piece of a block says how many of its samples are warm-up.
      progress.block = block.block();
      progress.warmup_left = block.warmup_samples();
    }
    int64_t& index = progress.index;
    for (int i = 0; i < block.value_ns_size(); ++i, ++index, --progress.warmup_left) {
      const int64_t arm = block.arm(i);
      if (arm >= exported_.plan.arms_size()) return NoSuchArm(arm);
      const SamplePlace place = PlaceOf(exported_.plan, attempt_.trial, index);
      std::vector<RowValue> values = trial_values_;
      values.insert(
          values.end(),
          {role, exported_.plan.arms(static_cast<int>(arm)).name(), int64_t{block.block()},
           block.is_warmup() || progress.warmup_left > 0, place.set, place.position,
           int64_t{block.start_ns(i)}, int64_t{block.value_ns(i)}});
      AppendCell(block.applied_ns().empty() ? nullptr : &block.applied_ns(), i, &values);
      for (const v1::StepColumn* step : steps) {
        AppendCell(step == nullptr ? nullptr : &step->ns(), i, &values);
      }
      RETURN_IF_ERROR(writer_->Write(values));
    }
    return absl::OkStatus();
  }

 private:
  // How far the samples of a role were written.
  struct Progress {
    int64_t index = 0;
    int32_t block = -1;
    int64_t warmup_left = 0;  // of the block
  };

  // The block's columns in the order of the header; null for a step that it does not have.
  std::vector<const v1::StepColumn*> StepsOf(const v1::SampleBlock& block) const {
    std::vector<const v1::StepColumn*> steps;
    for (const std::string& name : step_names_) {
      const v1::StepColumn* found = nullptr;
      for (const v1::StepColumn& step : block.steps()) {
        if (step.name() == name) found = &step;
      }
      steps.push_back(found);
    }
    return steps;
  }

  absl::Status NoSuchArm(int64_t arm) const {
    return MakeError(absl::StatusCode::kDataLoss,
                     absl::StrCat(AttemptName(exported_.run, attempt_.trial, attempt_.attempt),
                                  " has samples of arm ", arm))
        .Detail(absl::StrCat("its plan has ", exported_.plan.arms_size(), " arms, from 0"));
  }

  const ExportedRun& exported_;
  const AttemptSummary& attempt_;
  const std::vector<std::string>& step_names_;
  const std::vector<RowValue> trial_values_;
  RowWriter* const writer_;
  std::map<std::string, Progress> progress_by_role_;
};

std::vector<RowValue> PlacementValues(const v1::Placement& placement) {
  using P = v1::Placement;
  return {placement.process(),
          int64_t{placement.pid()},
          Optional(placement, &P::has_cpu_first, &P::cpu_first),
          Optional(placement, &P::has_cpu_last, &P::cpu_last),
          Optional(placement, &P::has_migrations, &P::migrations),
          Optional(placement, &P::has_switches_voluntary, &P::switches_voluntary),
          Optional(placement, &P::has_switches_involuntary, &P::switches_involuntary),
          Optional(placement, &P::has_faults_minor, &P::faults_minor),
          Optional(placement, &P::has_faults_major, &P::faults_major),
          Optional(placement, &P::has_cpu_ns, &P::cpu_ns)};
}

const std::vector<std::string>& EvidenceColumns() {
  static const auto* columns = new std::vector<std::string>{"role",
                                                            "block",
                                                            "is_warmup",
                                                            "duration_ns",
                                                            "foreign_cpu_share",
                                                            "steal_ns",
                                                            "throttled_ns",
                                                            "pressure_cpu_ns",
                                                            "pressure_io_ns",
                                                            "pressure_memory_ns",
                                                            "process",
                                                            "pid",
                                                            "cpu_first",
                                                            "cpu_last",
                                                            "migrations",
                                                            "switches_voluntary",
                                                            "switches_involuntary",
                                                            "faults_minor",
                                                            "faults_major",
                                                            "cpu_ns"};
  return *columns;
}

absl::Status WriteEvidence(std::vector<RowValue> values, const std::string& role,
                           const v1::SampleBlock& block, RowWriter* writer) {
  using E = v1::BlockEvidence;
  const E& evidence = block.evidence();
  values.insert(values.end(),
                {role, int64_t{block.block()}, block.is_warmup(), int64_t{evidence.duration_ns()},
                 Optional(evidence, &E::has_foreign_cpu_share, &E::foreign_cpu_share),
                 Optional(evidence, &E::has_steal_ns, &E::steal_ns),
                 Optional(evidence, &E::has_throttled_ns, &E::throttled_ns),
                 Optional(evidence, &E::has_pressure_cpu_ns, &E::pressure_cpu_ns),
                 Optional(evidence, &E::has_pressure_io_ns, &E::pressure_io_ns),
                 Optional(evidence, &E::has_pressure_memory_ns, &E::pressure_memory_ns)});
  const size_t block_values_count = values.size();
  if (evidence.placements().empty()) {
    values.resize(block_values_count + PlacementValues({}).size());
    return writer->Write(values);
  }
  for (const v1::Placement& placement : evidence.placements()) {
    values.resize(block_values_count);
    for (RowValue& value : PlacementValues(placement)) values.push_back(std::move(value));
    RETURN_IF_ERROR(writer->Write(values));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ExportSamples(Store& store, const std::string& run, const ExportOptions& options,
                           const RowSink& sink) {
  ASSIGN_OR_RETURN(const ExportedRun exported, LoadExportedRun(store, run, options));
  ASSIGN_OR_RETURN(const std::vector<std::string> step_names, StepNames(store, exported));
  std::vector<std::string> columns =
      Columns(exported, {"role", "arm", "block", "is_warmup", "set", "position", "start_ns",
                         "value_ns", "applied_ns"});
  for (const std::string& name : step_names) columns.push_back(absl::StrCat("step_", name, "_ns"));
  RowWriter writer(options.format, columns, sink);
  for (const AttemptSummary& attempt : exported.attempts) {
    SampleRows rows(exported, attempt, step_names, &writer);
    RETURN_IF_ERROR(
        store.ReadBlocks(run, attempt.trial, attempt.attempt,
                         [&rows](const std::string& role, const v1::SampleBlock& block) {
                           return rows.Write(role, block);
                         }));
  }
  return writer.Finish();
}

absl::Status ExportChecks(Store& store, const std::string& run, const ExportOptions& options,
                          const RowSink& sink) {
  using C = v1::Check;
  ASSIGN_OR_RETURN(const ExportedRun exported, LoadExportedRun(store, run, options));
  RowWriter writer(options.format,
                   Columns(exported, {"host", "phase", "check", "status", "value", "limit", "unit",
                                      "culprit", "advice", "refusal"}),
                   sink);
  for (const AttemptSummary& attempt : exported.attempts) {
    for (const C& check : attempt.record.checks()) {
      std::vector<RowValue> values = TrialValues(exported, attempt);
      values.insert(
          values.end(),
          {attempt.record.machine().host(),
           Word(v1::CheckPhase_Name(check.phase()), "CHECK_PHASE_"), check.name(),
           Word(v1::CheckStatus_Name(check.status()), "CHECK_STATUS_"),
           Optional(check, &C::has_value, &C::value), Optional(check, &C::has_limit, &C::limit),
           check.unit(), check.culprit(), check.advice(), check.refusal()});
      RETURN_IF_ERROR(writer.Write(values));
    }
  }
  return writer.Finish();
}

absl::Status ExportEvidence(Store& store, const std::string& run, const ExportOptions& options,
                            const RowSink& sink) {
  ASSIGN_OR_RETURN(const ExportedRun exported, LoadExportedRun(store, run, options));
  RowWriter writer(options.format, Columns(exported, EvidenceColumns()), sink);
  for (const AttemptSummary& attempt : exported.attempts) {
    const std::vector<RowValue> trial_values = TrialValues(exported, attempt);
    // A later piece of a block that was cut has no evidence of its own.
    RETURN_IF_ERROR(store.ReadBlocks(run, attempt.trial, attempt.attempt,
                                     [&](const std::string& role, const v1::SampleBlock& block) {
                                       if (!block.has_evidence()) return absl::OkStatus();
                                       return WriteEvidence(trial_values, role, block, &writer);
                                     }));
  }
  return writer.Finish();
}

}  // namespace tare::coordinator
