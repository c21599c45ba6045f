#include "agent/measured_process.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/config_echo.h"
#include "agent/launch/exit_record.h"
#include "agent/machine/identity.h"
#include "base/status.h"
#include "base/units.h"

namespace tare::agent {
namespace {

// From bye to the process's exit.
constexpr absl::Duration kExitTimeout = absl::Seconds(10);
// For the exit status of a process that just broke off.
constexpr absl::Duration kDeathTimeout = absl::Seconds(2);

std::string LastLine(absl::string_view text) {
  std::string last;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    last = std::string(line);
  }
  return last;
}

}  // namespace

MeasuredProcess::MeasuredProcess(const v1::AttemptKey& key, const v1::TrialSpec* spec,
                                 const v1::Role& role, int stop_fd, TrialEnd* end, Clock* clock)
    : key_(key),
      spec_(spec),
      role_(role),
      stop_fd_(stop_fd),
      end_(end),
      clock_(clock),
      started_unix_ns_(absl::ToUnixNanos(clock->Now())) {
  for (int i = 0; i < spec_->arms_size(); ++i) {
    if (role_.arm().empty() || spec_->arms(i).name() == role_.arm()) hosted_.push_back(i);
  }
  delays_ns_.assign(hosted_.size(), 0);
  record_.set_role(role_.role());
  *record_.mutable_command() = role_.command();
}

MeasuredProcess::~MeasuredProcess() = default;

absl::Status MeasuredProcess::Start(const std::vector<int>& cpus) {
  const std::string name = role_.command_size() > 0 ? role_.command(0) : "";
  absl::StatusOr<std::string> path = FindProgram(name);
  if (!path.ok()) return end_->Fail(v1::FAILURE_SOURCE_PROGRAM, path.status());
  RETURN_IF_ERROR(end_->CheckProgram(role_.role(), role_.arm(), *path));
  LaunchOptions options;
  options.command.assign(role_.command().begin(), role_.command().end());
  options.command[0] = *path;
  options.environment = OwnEnvironment();
  options.working_directory = CurrentDirectory();
  options.cpus = cpus;
  options.has_protocol = true;
  absl::StatusOr<std::unique_ptr<Process>> process = Launch(options);
  if (!process.ok()) {
    const bool is_program = !absl::IsUnavailable(process.status());
    return end_->Fail(is_program ? v1::FAILURE_SOURCE_PROGRAM : v1::FAILURE_SOURCE_AGENT,
                      process.status());
  }
  process_ = *std::move(process);
  channel_ = std::make_unique<WorkloadChannel>(process_->to_process(), process_->from_process(),
                                               stop_fd_, absl::Nanoseconds(spec_->timeout_ns()));
  absl::StatusOr<v1::Hello> hello = channel_->ReceiveHello();
  if (!hello.ok()) return Fail(hello.status());
  record_.set_harness(hello->harness());
  record_.set_runtime(hello->runtime());
  if (hello->tick_ns() > 0) record_.set_clock_tick_ns(hello->tick_ns());
  is_continuous_ = hello->continuous();
  absl::Status identified = IdentifyProcess(process_->pid(), *path, options.environment, &record_);
  // Without identity the analysis refuses; what was measured is kept.
  if (!identified.ok()) record_.clear_program_sha256();
  return absl::OkStatus();
}

absl::Status MeasuredProcess::SetUp(std::vector<v1::ServiceAddress> services) {
  v1::Setup setup;
  for (const int index : hosted_) {
    const v1::PlannedArm& arm = spec_->arms(index);
    v1::SetupArm* setup_arm = setup.add_arms();
    setup_arm->set_name(arm.name());
    setup_arm->set_runs(arm.repeats().empty() ? arm.name() : arm.repeats());
    *setup_arm->mutable_config() = arm.config();
    *setup_arm->mutable_uses() = arm.uses();
  }
  for (v1::ServiceAddress& service : services) *setup.add_services() = std::move(service);
  setup.set_seed(spec_->trial().seed());
  const int64_t sets_max = is_continuous_ ? int64_t{spec_->warmup_sets()} + spec_->sets()
                                          : std::max(spec_->sets_per_block(), 1);
  setup.set_samples_max(sets_max * static_cast<int64_t>(hosted_.size()));
  absl::StatusOr<v1::WorkloadReady> ready = channel_->Setup(setup);
  if (!ready.ok()) return Fail(ready.status());
  if (absl::Status status = CheckConfigEcho(setup, *ready); !status.ok()) {
    return end_->Refuse("config-not-applied", status);
  }
  for (int i = 0; i < ready->arms_size(); ++i) {
    v1::ArmEvidence* evidence = record_.add_arms();
    evidence->set_arm(setup.arms(i).name());
    *evidence->mutable_config() = ready->arms(i).config();
  }
  return absl::OkStatus();
}

bool MeasuredProcess::Hosts(uint32_t arm) const {
  return std::find(hosted_.begin(), hosted_.end(), static_cast<int>(arm)) != hosted_.end();
}

void MeasuredProcess::SetDelays(const std::vector<int64_t>& delay_ns) {
  for (size_t i = 0; i < hosted_.size(); ++i) {
    delays_ns_[i] = delay_ns[static_cast<size_t>(hosted_[i])];
  }
}

v1::Measure MeasuredProcess::MakeMeasure(int32_t block, int64_t sets_first, int64_t sets_end,
                                         bool is_warmup) const {
  const int64_t arms_per_set = std::max(spec_->arms_per_set(), 1);
  v1::Measure measure;
  measure.set_block(block);
  measure.set_is_warmup(is_warmup);
  for (int64_t i = sets_first * arms_per_set; i < sets_end * arms_per_set; ++i) {
    const auto arm = static_cast<int>(spec_->trial().sample_arms(static_cast<int>(i)));
    const auto found = std::find(hosted_.begin(), hosted_.end(), arm);
    if (found != hosted_.end()) measure.add_arms(static_cast<uint32_t>(found - hosted_.begin()));
  }
  measure.set_iterations(std::max(spec_->iterations(), 1));
  measure.set_washout(spec_->washout());
  // A process with one arm has only that one to wash out with.
  if (role_.arm().empty()) measure.set_washout_arm(spec_->washout_arm());
  measure.mutable_delay_ns()->Assign(delays_ns_.begin(), delays_ns_.end());
  measure.set_delay_place(spec_->delay_place());
  measure.set_first_set(sets_first);
  measure.set_arms_per_set(static_cast<int32_t>(hosted_.size()));
  return measure;
}

absl::StatusOr<v1::SampleBlock> MeasuredProcess::Measure(int32_t block, int64_t sets_first,
                                                         int64_t sets_end, bool is_warmup,
                                                         int64_t warmup_sets) {
  v1::Measure measure = MakeMeasure(block, sets_first, sets_end, is_warmup);
  measure.set_warmup_samples(warmup_sets * static_cast<int64_t>(hosted_.size()));
  absl::StatusOr<v1::SampleBlock> samples = Received(channel_->Measure(measure));
  if (samples.ok()) samples->set_warmup_samples(measure.warmup_samples());
  return samples;
}

absl::Status MeasuredProcess::BeginTurns(int32_t block, int64_t sets_first, int64_t sets_end,
                                         bool is_warmup) {
  turns_ = MakeMeasure(block, sets_first, sets_end, is_warmup);
  turns_.set_is_lockstep(true);
  const absl::Status status = channel_->BeginTurns(turns_);
  return status.ok() ? status : Fail(status);
}

absl::Status MeasuredProcess::TakeTurn() {
  const absl::Status status = channel_->TakeTurn();
  return status.ok() ? status : Fail(status);
}

absl::StatusOr<v1::SampleBlock> MeasuredProcess::EndTurns() {
  return Received(channel_->EndTurns(turns_));
}

absl::StatusOr<v1::SampleBlock> MeasuredProcess::Received(absl::StatusOr<v1::SampleBlock> block) {
  if (!block.ok()) return Fail(block.status());
  for (uint32_t& arm : *block->mutable_arm()) arm = static_cast<uint32_t>(hosted_[arm]);
  return block;
}

absl::Status MeasuredProcess::Collect() {
  absl::StatusOr<v1::WorkloadEvidence> collected = channel_->Collect();
  if (!collected.ok()) return Fail(collected.status());
  if (collected->arms_size() != record_.arms_size()) {
    return Fail(MakeError(absl::StatusCode::kDataLoss,
                          absl::StrCat("evidence covers ", collected->arms_size(),
                                       " arms, expected ", record_.arms_size())));
  }
  for (int i = 0; i < collected->arms_size(); ++i) {
    v1::ArmEvidence merged = collected->arms(i);
    merged.set_arm(record_.arms(i).arm());
    *merged.mutable_config() = record_.arms(i).config();
    *record_.mutable_arms(i) = std::move(merged);
  }
  return absl::OkStatus();
}

absl::Status MeasuredProcess::End() {
  if (absl::Status status = channel_->Bye(); !status.ok()) return Fail(status);
  absl::StatusOr<ExitStatus> exit = process_->Wait(kExitTimeout);
  if (!exit.ok()) return Fail(Annotate(exit.status(), "the workload said bye and did not exit"));
  RecordExit(*exit, &record_);
  if (exit->code == 0) return absl::OkStatus();
  return Fail(absl::UnavailableError("the workload failed after its last sample"));
}

v1::Process MeasuredProcess::Finish() {
  if (process_ == nullptr) return std::move(record_);
  absl::StatusOr<ExitStatus> exit = process_->Stop();
  if (exit.ok() && !record_.has_exit_code() && !record_.has_exit_signal())
    RecordExit(*exit, &record_);
  record_.set_log_tail(process_->LogTail());
  return std::move(record_);
}

absl::Status MeasuredProcess::Fail(const absl::Status& status) {
  if (absl::IsCancelled(status)) return end_->Cancel(status);
  // Whatever the workload says when a service is gone, it is not its fault.
  RETURN_IF_ERROR(end_->CheckServices());
  const std::string code = WorkloadErrorCode(status);
  const absl::Status described = DescribeDeath(status);
  return code.empty() ? end_->Fail(v1::FAILURE_SOURCE_WORKLOAD, described)
                      : end_->Refuse(code, described);
}

// What happened to the process says more than "closed its pipe".
absl::Status MeasuredProcess::DescribeDeath(const absl::Status& status) {
  absl::StatusOr<ExitStatus> exit =
      absl::IsUnavailable(status) ? process_->Wait(kDeathTimeout)
                                  : absl::StatusOr<ExitStatus>(absl::UnknownError("still runs"));
  const std::string last_line = LastLine(process_->LogTail());
  const std::string said =
      last_line.empty() ? "it wrote nothing" : absl::StrCat("last line: '", last_line, "'");
  if (!exit.ok()) {
    const ErrorParts parts = PartsOf(status);
    return MakeError(status.code(), absl::StrCat(Subject(), ": ", parts.what))
        .Detail(parts.detail.empty() ? said : absl::StrCat(parts.detail, "; ", said))
        .Try(parts.action);
  }
  RecordExit(*exit, &record_);
  const double seconds =
      static_cast<double>(absl::ToUnixNanos(clock_->Now()) - started_unix_ns_) / 1e9;
  return MakeError(absl::StatusCode::kUnavailable,
                   absl::StrCat(Subject(), " ", HowItEnded(*exit), " after ",
                                FormatDuration(seconds * 1e9)))
      .Detail(said)
      .Try(absl::StrCat("run it by hand: ", role_.command(0)));
}

std::string MeasuredProcess::Subject() const {
  return absl::StrCat("trial ", key_.trial(),
                      role_.arm().empty() ? "" : absl::StrCat(" (", role_.arm(), ")"), ", round ",
                      spec_->trial().round(), ": '", role_.command(0), "'");
}

}  // namespace tare::agent
