#include "agent/trial_runner.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/config_echo.h"
#include "agent/machine/identity.h"
#include "agent/pin.h"
#include "agent/services/secrets.h"
#include "base/status.h"
#include "base/units.h"

namespace tare::agent {
namespace {

// How long a run waits for a quiet machine, once.
constexpr absl::Duration kQuietPatience = absl::Seconds(30);
// From bye to the process's exit.
constexpr absl::Duration kExitTimeout = absl::Seconds(10);
// For the exit status of a process that just broke off.
constexpr absl::Duration kDeathTimeout = absl::Seconds(2);
// An automatic known delay: this share of the baseline's median, at least so many clock ticks.
constexpr int64_t kAutoDelayDivisor = 20;
constexpr int64_t kAutoDelayTicksMin = 20;

bool IsReadable(int fd) {
  pollfd watched = {fd, POLLIN, 0};
  return fd >= 0 && poll(&watched, 1, 0) > 0 && (watched.revents & POLLIN) != 0;
}

std::string LastLine(absl::string_view text) {
  std::string last;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    last = std::string(line);
  }
  return last;
}

}  // namespace

TrialRunner::TrialRunner(Workbench* workbench, const v1::AttemptKey& key, const v1::TrialSpec& spec,
                         int stop_fd)
    : workbench_(workbench),
      key_(key),
      spec_(spec),
      role_(spec.trial().roles_size() > 0 ? spec.trial().roles(0) : v1::Role()),
      stop_fd_(stop_fd),
      proxies_(&workbench->services, spec) {
  for (int i = 0; i < spec_.arms_size(); ++i) {
    if (role_.arm().empty() || spec_.arms(i).name() == role_.arm()) hosted_.push_back(i);
  }
  delays_ns_.assign(hosted_.size(), 0);
  record_.set_started_unix_ns(absl::ToUnixNanos(workbench_->clock->Now()));
  *record_.mutable_machine() = workbench_->machine;
}

TrialRunner::~TrialRunner() = default;

absl::Status TrialRunner::Prepare() {
  if (spec_.trial().roles_size() != 1) {
    return Fail(v1::FAILURE_SOURCE_AGENT,
                MakeError(absl::StatusCode::kInternal,
                          absl::StrCat("trial ", key_.trial(), " has ", spec_.trial().roles_size(),
                                       " roles, this agent runs one")));
  }
  RETURN_IF_ERROR(LookBefore());
  RETURN_IF_ERROR(EnsureServices());
  RETURN_IF_ERROR(StartProcess());
  return SetUpWorkload();
}

absl::Status TrialRunner::LookBefore() {
  const bool is_strict = spec_.gates() == v1::GATES_STRICT;
  const std::vector<v1::Check> checks =
      spec_.is_first() ? workbench_->preflight.WaitForQuiet(spec_.gates(), kQuietPatience)
                       : workbench_->preflight.Before(spec_.gates(), is_strict);
  const v1::Check* refused = nullptr;
  for (const v1::Check& check : checks) {
    *record_.add_checks() = check;
    if (check.status() == v1::CHECK_STATUS_REFUSED && refused == nullptr) refused = &check;
  }
  if (!is_strict || refused == nullptr) return absl::OkStatus();
  return Refuse(refused->refusal(),
                MakeError(absl::StatusCode::kFailedPrecondition,
                          absl::StrCat("machine '", workbench_->machine.host(),
                                       "' is not fit to measure: ", refused->name()))
                    .Detail(refused->culprit())
                    .Try(refused->advice()));
}

absl::Status TrialRunner::EnsureServices() {
  absl::StatusOr<PinnedCpus> cpus =
      ResolvePin({spec_.pin().begin(), spec_.pin().end()}, AvailableCpus());
  if (!cpus.ok()) return Fail(v1::FAILURE_SOURCE_AGENT, cpus.status());
  workload_cpus_ = cpus->workload;
  if (absl::Status status = workbench_->services.Ensure(key_.run(), spec_, cpus->services);
      !status.ok()) {
    return Fail(v1::FAILURE_SOURCE_SERVICE, status);
  }
  absl::StatusOr<std::vector<v1::ServiceRecord>> records = workbench_->services.Describe();
  if (!records.ok()) return Fail(v1::FAILURE_SOURCE_SERVICE, records.status());
  record_.mutable_services()->Assign(records->begin(), records->end());
  return absl::OkStatus();
}

absl::Status TrialRunner::StartProcess() {
  const std::string name = role_.command_size() > 0 ? role_.command(0) : "";
  absl::StatusOr<std::string> path = FindProgram(name);
  if (!path.ok()) return Fail(v1::FAILURE_SOURCE_PROGRAM, path.status());
  RETURN_IF_ERROR(CheckProgram(*path));
  LaunchOptions options;
  options.command.assign(role_.command().begin(), role_.command().end());
  options.command[0] = *path;
  options.environment = OwnEnvironment();
  char* directory = get_current_dir_name();
  if (directory != nullptr) options.working_directory = directory;
  free(directory);
  options.cpus = workload_cpus_;
  options.has_protocol = true;
  absl::StatusOr<std::unique_ptr<Process>> process = Launch(options);
  if (!process.ok()) {
    const bool is_program = !absl::IsUnavailable(process.status());
    return Fail(is_program ? v1::FAILURE_SOURCE_PROGRAM : v1::FAILURE_SOURCE_AGENT,
                process.status());
  }
  process_ = *std::move(process);
  v1::Process* record = record_.add_processes();
  record->set_role(role_.role());
  *record->mutable_command() = role_.command();
  channel_ = std::make_unique<WorkloadChannel>(process_->to_process(), process_->from_process(),
                                               stop_fd_, absl::Nanoseconds(spec_.timeout_ns()));
  absl::StatusOr<v1::Hello> hello = channel_->ReceiveHello();
  if (!hello.ok()) return FailWorkload(hello.status());
  record->set_harness(hello->harness());
  record->set_runtime(hello->runtime());
  if (hello->tick_ns() > 0) record->set_clock_tick_ns(hello->tick_ns());
  absl::Status identified = IdentifyProcess(process_->pid(), *path, options.environment, record);
  // Without identity the analysis refuses; what was measured is kept.
  if (!identified.ok()) record->clear_program_sha256();
  return absl::OkStatus();
}

// A resumed run goes on only with the programs that it began with.
absl::Status TrialRunner::CheckProgram(const std::string& path) {
  for (const v1::ExpectedProgram& expected : spec_.expected_programs()) {
    if (expected.role() != role_.role() || expected.arm() != role_.arm()) continue;
    absl::StatusOr<std::string> sha256 = FileSha256(path);
    if (!sha256.ok()) return Fail(v1::FAILURE_SOURCE_PROGRAM, sha256.status());
    if (*sha256 == expected.program_sha256()) continue;
    return Refuse(
        "not-comparable",
        MakeError(absl::StatusCode::kFailedPrecondition,
                  absl::StrCat("program '", path, "' changed since the run began"))
            .Detail(absl::StrCat("SHA-256 was ", expected.program_sha256(), ", is ", *sha256))
            .Try("start a new run"));
  }
  return absl::OkStatus();
}

v1::Setup TrialRunner::MakeSetup() {
  v1::Setup setup;
  for (const int index : hosted_) {
    const v1::PlannedArm& arm = spec_.arms(index);
    v1::SetupArm* setup_arm = setup.add_arms();
    setup_arm->set_name(arm.name());
    setup_arm->set_runs(arm.repeats().empty() ? arm.name() : arm.repeats());
    *setup_arm->mutable_config() = arm.config();
    *setup_arm->mutable_uses() = arm.uses();
  }
  for (const std::string& need : role_.needs()) {
    Service* service = workbench_->services.Find(need);
    if (service == nullptr) continue;  // the plan names only services of the experiment
    v1::ServiceAddress* address = setup.add_services();
    address->set_name(need);
    address->set_address(service->address());
  }
  setup.set_seed(spec_.trial().seed());
  setup.set_samples_max(int64_t{std::max(spec_.sets_per_block(), 1)} *
                        std::max(spec_.arms_per_set(), 1));
  return setup;
}

absl::Status TrialRunner::SetUpWorkload() {
  const v1::Setup setup = MakeSetup();
  absl::StatusOr<v1::WorkloadReady> ready = channel_->Setup(setup);
  if (!ready.ok()) return FailWorkload(ready.status());
  if (absl::Status status = CheckConfigEcho(setup, *ready); !status.ok()) {
    return Refuse("config-not-applied", status);
  }
  for (int i = 0; i < ready->arms_size(); ++i) {
    v1::ArmEvidence* evidence = record_.mutable_processes(0)->add_arms();
    evidence->set_arm(setup.arms(i).name());
    *evidence->mutable_config() = ready->arms(i).config();
  }
  std::vector<pid_t> own = {getpid()};
  observer_ = MakeBlockObserver("/", own);
  return absl::OkStatus();
}

void TrialRunner::Measure() {
  const int64_t warmup = spec_.warmup_sets();
  absl::Status status = MeasureSets(0, warmup, /*is_warmup=*/true);
  if (status.ok()) status = FixKnownDelays();
  if (status.ok()) status = MeasureSets(warmup, warmup + spec_.sets(), /*is_warmup=*/false);
  if (status.ok()) status = CollectEvidence();
  if (status.ok()) status = EndProcess();
  if (status.ok()) record_.set_outcome(v1::TRIAL_OUTCOME_COMPLETED);
}

absl::Status TrialRunner::MeasureSets(int64_t sets_first, int64_t sets_end, bool is_warmup) {
  const int64_t step = std::max(spec_.sets_per_block(), 1);
  for (int64_t set = sets_first; set < sets_end; set += step) {
    RETURN_IF_ERROR(MeasureBlock(set, std::min(set + step, sets_end), is_warmup));
  }
  return absl::OkStatus();
}

v1::Measure TrialRunner::MakeMeasure(int64_t sets_first, int64_t sets_end, bool is_warmup) const {
  const int64_t arms_per_set = std::max(spec_.arms_per_set(), 1);
  v1::Measure measure;
  measure.set_block(static_cast<int32_t>(blocks_.size()));
  measure.set_is_warmup(is_warmup);
  for (int64_t i = sets_first * arms_per_set; i < sets_end * arms_per_set; ++i) {
    measure.add_arms(HostedIndex(spec_.trial().sample_arms(static_cast<int>(i))));
  }
  measure.set_iterations(std::max(spec_.iterations(), 1));
  measure.set_washout(spec_.washout());
  // A process with one arm has only that one to wash out with.
  if (role_.arm().empty()) measure.set_washout_arm(spec_.washout_arm());
  measure.mutable_delay_ns()->Assign(delays_ns_.begin(), delays_ns_.end());
  measure.set_first_set(sets_first);
  measure.set_arms_per_set(static_cast<int32_t>(arms_per_set));
  return measure;
}

uint32_t TrialRunner::HostedIndex(uint32_t arm) const {
  const auto found = std::find(hosted_.begin(), hosted_.end(), static_cast<int>(arm));
  return static_cast<uint32_t>(found - hosted_.begin());
}

std::vector<ObservedProcess> TrialRunner::ProcessesToObserve() {
  std::vector<ObservedProcess> observed = {{role_.role(), process_->pid()}};
  // Those behind a proxy as well: they serve though the workload does not know them.
  for (const v1::Service& used : spec_.services()) {
    Service* service = workbench_->services.Find(used.name());
    if (service == nullptr) continue;
    for (pid_t pid : service->ServingPids()) observed.push_back({used.name(), pid});
  }
  return observed;
}

absl::Status TrialRunner::MeasureBlock(int64_t sets_first, int64_t sets_end, bool is_warmup) {
  if (IsReadable(stop_fd_)) return FailWorkload(absl::CancelledError("stopped"));
  const v1::Measure measure = MakeMeasure(sets_first, sets_end, is_warmup);
  proxies_.Begin();
  observer_->Begin(ProcessesToObserve());
  absl::StatusOr<v1::SampleBlock> block = channel_->Measure(measure);
  v1::BlockEvidence evidence = observer_->End();
  if (!block.ok()) return FailWorkload(block.status());
  for (v1::ProxyCounters& counted : proxies_.End()) *evidence.add_proxies() = std::move(counted);
  for (uint32_t& arm : *block->mutable_arm()) arm = static_cast<uint32_t>(hosted_[arm]);
  *block->mutable_evidence() = std::move(evidence);
  record_.set_samples_count(record_.samples_count() + block->arm_size());
  blocks_.push_back(*std::move(block));
  record_.set_blocks_count(static_cast<int32_t>(blocks_.size()));
  return absl::OkStatus();
}

absl::Status TrialRunner::FixKnownDelays() {
  std::vector<int64_t> asked(static_cast<size_t>(spec_.arms_size()), 0);
  for (size_t i = 0; i < hosted_.size(); ++i) {
    const v1::PlannedArm& arm = spec_.arms(hosted_[i]);
    if (arm.kind() != v1::ARM_KIND_KNOWN_DELAY) continue;
    delays_ns_[i] = arm.known_delay_ns();
    if (delays_ns_[i] < 0) {
      absl::StatusOr<int64_t> delay_ns = AutomaticDelayNs(arm.repeats());
      if (!delay_ns.ok()) return Fail(v1::FAILURE_SOURCE_WORKLOAD, delay_ns.status());
      delays_ns_[i] = *delay_ns;
    }
    asked[static_cast<size_t>(hosted_[i])] = delays_ns_[i];
  }
  record_.mutable_asked_delay_ns()->Assign(asked.begin(), asked.end());
  return absl::OkStatus();
}

absl::StatusOr<int64_t> TrialRunner::AutomaticDelayNs(const std::string& baseline) const {
  std::vector<int64_t> values;
  for (const v1::SampleBlock& block : blocks_) {
    for (int i = 0; i < block.arm_size(); ++i) {
      if (spec_.arms(static_cast<int>(block.arm(i))).name() == baseline) {
        values.push_back(block.value_ns(i) / std::max(spec_.iterations(), 1));
      }
    }
  }
  if (values.empty()) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     "no warm-up samples to derive the known delay from")
        .Try("set 'warmup' to at least 1, or give known_delay a duration");
  }
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return std::max(*middle / kAutoDelayDivisor,
                  kAutoDelayTicksMin * record_.processes(0).clock_tick_ns());
}

absl::Status TrialRunner::CollectEvidence() {
  absl::StatusOr<v1::WorkloadEvidence> collected = channel_->Collect();
  if (!collected.ok()) return FailWorkload(collected.status());
  v1::Process* process = record_.mutable_processes(0);
  if (collected->arms_size() != process->arms_size()) {
    return FailWorkload(MakeError(absl::StatusCode::kDataLoss,
                                  absl::StrCat("evidence covers ", collected->arms_size(),
                                               " arms, expected ", process->arms_size())));
  }
  for (int i = 0; i < collected->arms_size(); ++i) {
    v1::ArmEvidence merged = collected->arms(i);
    merged.set_arm(process->arms(i).arm());
    *merged.mutable_config() = process->arms(i).config();
    *process->mutable_arms(i) = std::move(merged);
  }
  return absl::OkStatus();
}

absl::Status TrialRunner::EndProcess() {
  if (absl::Status status = channel_->Bye(); !status.ok()) return FailWorkload(status);
  absl::StatusOr<ExitStatus> exit = process_->Wait(kExitTimeout);
  if (!exit.ok()) {
    return FailWorkload(Annotate(exit.status(), "the workload said bye and did not exit"));
  }
  RecordExit(*exit);
  if (exit->code == 0) return absl::OkStatus();
  return FailWorkload(absl::UnavailableError("the workload failed after its last sample"));
}

void TrialRunner::RecordExit(const ExitStatus& exit) {
  v1::Process* process = record_.mutable_processes(0);
  if (exit.code.has_value()) process->set_exit_code(*exit.code);
  if (exit.signal.has_value()) process->set_exit_signal(*exit.signal);
  process->set_user_ns(exit.user_ns);
  process->set_system_ns(exit.system_ns);
  process->set_memory_peak_bytes(exit.memory_peak_bytes);
  process->set_leftovers_count(exit.leftovers_count);
  if (exit.leftovers_count == 0) return;
  v1::Check* check = record_.add_checks();
  check->set_name("leftovers");
  check->set_phase(v1::CHECK_PHASE_POSTFLIGHT);
  check->set_status(v1::CHECK_STATUS_WARNED);
  check->set_value(exit.leftovers_count);
  check->set_limit(0);
  check->set_unit("processes");
  check->set_culprit(absl::StrCat(role_.command(0), " left them behind; they were ended"));
  check->set_advice("let the workload wait for the processes that it starts");
}

TrialResult TrialRunner::Finish() {
  if (!has_outcome()) record_.set_outcome(v1::TRIAL_OUTCOME_CANCELLED);  // never started
  if (process_ != nullptr) {
    absl::StatusOr<ExitStatus> exit = process_->Stop();
    v1::Process* process = record_.mutable_processes(0);
    if (exit.ok() && !process->has_exit_code() && !process->has_exit_signal()) RecordExit(*exit);
    process->set_log_tail(process_->LogTail());
  }
  proxies_.AttachEvidence(&record_);
  for (const v1::Check& check : workbench_->preflight.After(spec_.gates())) {
    *record_.add_checks() = check;
  }
  const std::vector<std::string> secrets = workbench_->services.secrets();
  for (v1::Process& process : *record_.mutable_processes()) {
    process.set_log_tail(RedactSecrets(process.log_tail(), secrets));
  }
  record_.set_message(RedactSecrets(record_.message(), secrets));
  record_.set_detail(RedactSecrets(record_.detail(), secrets));
  record_.set_ended_unix_ns(absl::ToUnixNanos(workbench_->clock->Now()));
  return {role_.role(), std::move(record_), std::move(blocks_)};
}

absl::Status TrialRunner::Fail(v1::FailureSource source, const absl::Status& status) {
  if (has_outcome()) return status;
  const ErrorParts parts = PartsOf(status);
  record_.set_outcome(v1::TRIAL_OUTCOME_FAILED);
  record_.set_source(source);
  record_.set_code("incomplete");
  record_.set_message(parts.what);
  record_.set_detail(parts.detail);
  record_.set_advice(parts.action);
  return status;
}

absl::Status TrialRunner::Refuse(const std::string& code, const absl::Status& status) {
  absl::Status failed = Fail(v1::FAILURE_SOURCE_UNSPECIFIED, status);
  record_.set_outcome(v1::TRIAL_OUTCOME_REFUSED);
  record_.set_code(code);
  return failed;
}

absl::Status TrialRunner::FailWorkload(const absl::Status& status) {
  if (absl::IsCancelled(status)) {
    absl::Status failed = Fail(v1::FAILURE_SOURCE_UNSPECIFIED, status);
    record_.set_outcome(v1::TRIAL_OUTCOME_CANCELLED);
    return failed;
  }
  // Whatever the workload says then, it is not its fault.
  if (const absl::Status services = workbench_->services.CheckRunning(); !services.ok()) {
    return Fail(v1::FAILURE_SOURCE_SERVICE, services);
  }
  const std::string code = WorkloadErrorCode(status);
  const absl::Status described = DescribeDeath(status);
  return code.empty() ? Fail(v1::FAILURE_SOURCE_WORKLOAD, described) : Refuse(code, described);
}

// What happened to the process says more than "closed its pipe".
absl::Status TrialRunner::DescribeDeath(const absl::Status& status) {
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
  RecordExit(*exit);
  const double seconds =
      static_cast<double>(absl::ToUnixNanos(workbench_->clock->Now()) - record_.started_unix_ns()) /
      1e9;
  const std::string how = exit->signal.has_value()
                              ? absl::StrCat("was ended by signal ", *exit->signal)
                              : absl::StrCat("exited with code ", exit->code.value_or(-1));
  return MakeError(absl::StatusCode::kUnavailable,
                   absl::StrCat(Subject(), " ", how, " after ", FormatDuration(seconds * 1e9)))
      .Detail(said)
      .Try(absl::StrCat("run it by hand: ", role_.command(0)));
}

std::string TrialRunner::Subject() const {
  return absl::StrCat("trial ", key_.trial(),
                      role_.arm().empty() ? "" : absl::StrCat(" (", role_.arm(), ")"), ", round ",
                      spec_.trial().round(), ": '", role_.command(0), "'");
}

}  // namespace tare::agent
