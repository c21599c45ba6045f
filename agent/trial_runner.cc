#include "agent/trial_runner.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/launch/process.h"
#include "agent/pin.h"
#include "agent/services/secrets.h"
#include "base/status.h"

namespace tare::agent {
namespace {

// How long a run waits for a quiet machine, once.
constexpr absl::Duration kQuietPatience = absl::Seconds(30);
// An automatic known delay is at least so many ticks of the clock.
constexpr int64_t kAutoDelayTicksMin = 20;

bool IsReadable(int fd) {
  pollfd watched = {fd, POLLIN, 0};
  return fd >= 0 && poll(&watched, 1, 0) > 0 && (watched.revents & POLLIN) != 0;
}

v1::Check LeftoversCheck(const v1::Process& process) {
  v1::Check check;
  check.set_name("leftovers");
  check.set_phase(v1::CHECK_PHASE_POSTFLIGHT);
  check.set_status(v1::CHECK_STATUS_WARNED);
  check.set_value(process.leftovers_count());
  check.set_limit(0);
  check.set_unit("processes");
  check.set_culprit(absl::StrCat(process.command_size() > 0 ? process.command(0) : process.role(),
                                 " left them behind; they were ended"));
  check.set_advice("let the program wait for the processes that it starts");
  return check;
}

}  // namespace

TrialRunner::TrialRunner(Workbench* workbench, const v1::AttemptKey& key, const v1::TrialSpec& spec,
                         int stop_fd)
    : workbench_(workbench),
      key_(key),
      spec_(spec),
      stop_fd_(stop_fd),
      end_(&spec_, &workbench->services, &record_),
      proxies_(&workbench->services, spec) {
  record_.set_started_unix_ns(absl::ToUnixNanos(workbench_->clock->Now()));
  *record_.mutable_machine() = workbench_->machine;
}

TrialRunner::~TrialRunner() = default;

absl::Status TrialRunner::Prepare() {
  RETURN_IF_ERROR(LookBefore());
  RETURN_IF_ERROR(EnsureServices());
  RETURN_IF_ERROR(StartProcesses());
  observer_ = MakeBlockObserver("/", {getpid()});
  return absl::OkStatus();
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
  return end_.Refuse(refused->refusal(),
                     MakeError(absl::StatusCode::kFailedPrecondition,
                               absl::StrCat("machine '", workbench_->machine.host(),
                                            "' is not fit to measure: ", refused->name()))
                         .Detail(refused->culprit())
                         .Try(refused->advice()));
}

absl::Status TrialRunner::EnsureServices() {
  absl::StatusOr<PinnedCpus> cpus =
      ResolvePin({spec_.pin().begin(), spec_.pin().end()}, AvailableCpus());
  if (!cpus.ok()) return end_.Fail(v1::FAILURE_SOURCE_AGENT, cpus.status());
  workload_cpus_ = cpus->workload;
  RETURN_IF_ERROR(CheckServerPrograms());
  if (absl::Status status = workbench_->services.Ensure(key_.run(), spec_, cpus->services);
      !status.ok()) {
    return end_.FailService(status);
  }
  absl::StatusOr<std::vector<v1::ServiceRecord>> records = workbench_->services.Describe();
  if (!records.ok()) return end_.FailService(records.status());
  record_.mutable_services()->Assign(records->begin(), records->end());
  return absl::OkStatus();
}

// Of a resumed run. A program that is not there fails when it is started.
absl::Status TrialRunner::CheckServerPrograms() {
  const std::string arm = spec_.trial().roles_size() > 0 ? spec_.trial().roles(0).arm() : "";
  for (const v1::Service& service : spec_.services()) {
    if (!service.has_server()) continue;
    const absl::StatusOr<std::string> path = FindProgram(service.server().command(0));
    if (path.ok()) RETURN_IF_ERROR(end_.CheckProgram(service.name(), arm, *path));
  }
  return absl::OkStatus();
}

// All are started before the first is set up, so that none waits longer than the others.
absl::Status TrialRunner::StartProcesses() {
  for (const v1::Role& role : spec_.trial().roles()) {
    processes_.push_back(
        std::make_unique<MeasuredProcess>(key_, &spec_, role, stop_fd_, &end_, workbench_->clock));
    roles_.push_back({role.role(), {}});
    RETURN_IF_ERROR(processes_.back()->Start(workload_cpus_));
  }
  for (const auto& process : processes_) {
    RETURN_IF_ERROR(process->SetUp(AddressesFor(process->role())));
  }
  return absl::OkStatus();
}

std::vector<v1::ServiceAddress> TrialRunner::AddressesFor(const v1::Role& role) {
  std::vector<v1::ServiceAddress> addresses;
  for (const std::string& need : role.needs()) {
    Service* service = workbench_->services.Find(need);
    if (service == nullptr) continue;  // the plan names only services of the experiment
    v1::ServiceAddress& address = addresses.emplace_back();
    address.set_name(need);
    address.set_address(service->address());
  }
  return addresses;
}

void TrialRunner::Measure() {
  if (MeasureAll().ok()) record_.set_outcome(v1::TRIAL_OUTCOME_COMPLETED);
}

absl::Status TrialRunner::MeasureAll() {
  const int64_t warmup = spec_.warmup_sets();
  const int64_t all = warmup + spec_.sets();
  const auto is_continuous = [](const auto& process) { return process->is_continuous(); };
  if (std::any_of(processes_.begin(), processes_.end(), is_continuous)) {
    if (processes_.size() > 1) {
      return end_.Fail(v1::FAILURE_SOURCE_WORKLOAD,
                       MakeError(absl::StatusCode::kFailedPrecondition,
                                 "a program with a schedule of its own cannot go in lockstep")
                           .Try("set 'pairing: rounds'"));
    }
    RETURN_IF_ERROR(FixKnownDelays());
    RETURN_IF_ERROR(MeasureBlock(0, all, /*is_warmup=*/false, warmup));
  } else {
    RETURN_IF_ERROR(MeasureSets(0, warmup, /*is_warmup=*/true));
    RETURN_IF_ERROR(FixKnownDelays());
    RETURN_IF_ERROR(MeasureSets(warmup, all, /*is_warmup=*/false));
  }
  for (const auto& process : processes_) RETURN_IF_ERROR(process->Collect());
  for (const auto& process : processes_) RETURN_IF_ERROR(process->End());
  return absl::OkStatus();
}

absl::Status TrialRunner::MeasureSets(int64_t sets_first, int64_t sets_end, bool is_warmup) {
  const int64_t step = std::max(spec_.sets_per_block(), 1);
  for (int64_t set = sets_first; set < sets_end; set += step) {
    RETURN_IF_ERROR(MeasureBlock(set, std::min(set + step, sets_end), is_warmup, 0));
  }
  return absl::OkStatus();
}

std::vector<ObservedProcess> TrialRunner::ProcessesToObserve() {
  std::vector<ObservedProcess> observed;
  for (const auto& process : processes_) {
    observed.push_back({process->role().role(), process->pid()});
  }
  // Those behind a proxy as well: they serve though the workload does not know them.
  for (const v1::Service& used : spec_.services()) {
    Service* service = workbench_->services.Find(used.name());
    if (service == nullptr) continue;
    for (pid_t pid : service->ServingPids()) observed.push_back({used.name(), pid});
  }
  return observed;
}

absl::Status TrialRunner::MeasureBlock(int64_t sets_first, int64_t sets_end, bool is_warmup,
                                       int64_t warmup_sets) {
  if (IsReadable(stop_fd_)) return end_.Cancel(absl::CancelledError("stopped"));
  proxies_.Begin();
  observer_->Begin(ProcessesToObserve());
  absl::StatusOr<std::vector<v1::SampleBlock>> blocks;
  if (processes_.size() > 1) {
    blocks = MeasureInTurns(sets_first, sets_end, is_warmup);
  } else {
    absl::StatusOr<v1::SampleBlock> block =
        processes_.front()->Measure(blocks_count_, sets_first, sets_end, is_warmup, warmup_sets);
    if (block.ok()) {
      blocks.emplace().push_back(*std::move(block));
    } else {
      blocks = block.status();
    }
  }
  v1::BlockEvidence evidence = observer_->End();
  RETURN_IF_ERROR(blocks.status());
  for (v1::ProxyCounters& counted : proxies_.End()) *evidence.add_proxies() = std::move(counted);
  // It is of all processes together and stands once.
  *blocks->front().mutable_evidence() = std::move(evidence);
  for (size_t i = 0; i < blocks->size(); ++i) {
    record_.set_samples_count(record_.samples_count() + (*blocks)[i].arm_size());
    roles_[i].blocks.push_back(std::move((*blocks)[i]));
  }
  ++blocks_count_;
  record_.set_blocks_count(record_.blocks_count() + static_cast<int32_t>(blocks->size()));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<v1::SampleBlock>> TrialRunner::MeasureInTurns(int64_t sets_first,
                                                                         int64_t sets_end,
                                                                         bool is_warmup) {
  for (const auto& process : processes_) {
    RETURN_IF_ERROR(process->BeginTurns(blocks_count_, sets_first, sets_end, is_warmup));
  }
  const int64_t arms_per_set = std::max(spec_.arms_per_set(), 1);
  for (int64_t i = sets_first * arms_per_set; i < sets_end * arms_per_set; ++i) {
    const uint32_t arm = spec_.trial().sample_arms(static_cast<int>(i));
    for (const auto& process : processes_) {
      if (process->Hosts(arm)) RETURN_IF_ERROR(process->TakeTurn());
    }
  }
  std::vector<v1::SampleBlock> blocks;
  for (const auto& process : processes_) {
    ASSIGN_OR_RETURN(v1::SampleBlock block, process->EndTurns());
    blocks.push_back(std::move(block));
  }
  return blocks;
}

absl::Status TrialRunner::FixKnownDelays() {
  std::vector<int64_t> asked(static_cast<size_t>(spec_.arms_size()), 0);
  for (int i = 0; i < spec_.arms_size(); ++i) {
    const v1::PlannedArm& arm = spec_.arms(i);
    const auto hosts = [i](const auto& process) {
      return process->Hosts(static_cast<uint32_t>(i));
    };
    if (arm.kind() != v1::ARM_KIND_KNOWN_DELAY ||
        std::none_of(processes_.begin(), processes_.end(), hosts)) {
      continue;
    }
    int64_t& delay_ns = asked[static_cast<size_t>(i)];
    delay_ns = arm.known_delay_ns();
    if (delay_ns >= 0) continue;
    absl::StatusOr<int64_t> automatic_ns = AutomaticDelayNs(arm);
    if (!automatic_ns.ok()) return end_.Fail(v1::FAILURE_SOURCE_WORKLOAD, automatic_ns.status());
    delay_ns = *automatic_ns;
  }
  for (const auto& process : processes_) process->SetDelays(asked);
  record_.mutable_asked_delay_ns()->Assign(asked.begin(), asked.end());
  return absl::OkStatus();
}

absl::StatusOr<int64_t> TrialRunner::AutomaticDelayNs(const v1::PlannedArm& arm) const {
  std::vector<int64_t> values;
  for (const RoleBlocks& role : roles_) {
    for (const v1::SampleBlock& block : role.blocks) {
      for (int i = 0; i < block.arm_size(); ++i) {
        if (spec_.arms(static_cast<int>(block.arm(i))).name() == arm.repeats()) {
          values.push_back(block.value_ns(i) / std::max(spec_.iterations(), 1));
        }
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
  int64_t tick_ns = 0;
  for (const auto& process : processes_) tick_ns = std::max(tick_ns, process->clock_tick_ns());
  return std::max({*middle * arm.known_delay_share_ppm() / 1'000'000, arm.known_delay_min_ns(),
                   kAutoDelayTicksMin * tick_ns});
}

void TrialRunner::AddProcess(v1::Process process) {
  if (process.leftovers_count() > 0) *record_.add_checks() = LeftoversCheck(process);
  *record_.add_processes() = std::move(process);
}

TrialResult TrialRunner::Finish() {
  if (!end_.is_written()) record_.set_outcome(v1::TRIAL_OUTCOME_CANCELLED);  // never started
  for (const auto& process : processes_) AddProcess(process->Finish());
  proxies_.AttachEvidence(&record_);
  for (v1::Process& server : workbench_->services.FinishServers()) AddProcess(std::move(server));
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
  return {std::move(record_), std::move(roles_)};
}

}  // namespace tare::agent
