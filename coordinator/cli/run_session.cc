#include "coordinator/cli/run_session.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/status.h"
#include "base/token.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/redact.h"
#include "coordinator/cli/run_so_far.h"
#include "coordinator/cli/stored_data.h"
#include "coordinator/plan/plan.h"
#include "coordinator/report/progress.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kLocalAgentWait = absl::Seconds(20);
constexpr absl::Duration kRemoteAgentWait = absl::Minutes(10);
// Seeds stay below 2^53, so that they survive every JSON reader.
constexpr uint64_t kSeedMask = (uint64_t{1} << 53) - 1;

// The server that a signal interrupts; null while no run is on.
std::atomic<SessionServer*> interruptible = nullptr;
std::atomic<int> signals_count = 0;

void OnSignal(int /*signal*/) {
  // The second one leaves at once: wardens clean up behind the agent.
  if (++signals_count > 1) _exit(kExitInterrupted);
  if (SessionServer* server = interruptible.load()) server->Interrupt();
}

class SignalScope {
 public:
  explicit SignalScope(SessionServer* server) {
    interruptible = server;
    struct sigaction action = {};
    action.sa_handler = OnSignal;
    for (int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  }
  ~SignalScope() {
    for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
    interruptible = nullptr;
  }
};

std::string NewRunName(absl::Time now) {
  return absl::StrCat(absl::FormatTime("%Y%m%d-%H%M%S", now, absl::UTCTimeZone()), "-",
                      RandomToken(4));
}

uint64_t DrawSeed() {
  uint64_t seed = 0;
  for (const char c : RandomToken(12)) seed = seed * 36 + static_cast<uint64_t>(c);
  return seed & kSeedMask;
}

// A failure of the machine or of the set-up is said at once; one of the measured program is part
// of the report.
int ComplainOfTrial(const v1::TrialRecord& record) {
  absl::StatusCode code = absl::StatusCode::kUnknown;
  switch (record.source()) {
    case v1::FAILURE_SOURCE_PROGRAM:
      code = absl::StatusCode::kNotFound;
      break;
    case v1::FAILURE_SOURCE_SERVICE:
    case v1::FAILURE_SOURCE_AGENT:
      code = absl::StatusCode::kUnavailable;
      break;
    default:
      return kExitRefused;
  }
  return Complain(MakeError(code, record.message()).Detail(record.detail()).Try(record.advice()));
}

bool IsOpenEnded(const v1::Experiment& experiment) {
  return experiment.stop().open_ended() == v1::SWITCH_ON;
}

}  // namespace

absl::StatusOr<SessionResult> RunSession::Run() {
  ASSIGN_OR_RETURN(store_, OpenSqliteStore(request_.store));
  RETURN_IF_ERROR(LoadPlan());
  RETURN_IF_ERROR(StartServer());
  SignalScope signals(server_.get());
  ASSIGN_OR_RETURN(const ConnectedAgent agent, FindAgent());
  if (absl::Status status = CheckMachine(agent.registration.machine()); !status.ok()) {
    Complain(status);
    return SessionResult{.exit_code = kExitRefused, .report = {}, .experiment = experiment_};
  }
  RETURN_IF_ERROR(BeginRun());
  absl::StatusOr<DispatchResult> result = Measure(agent);
  RETURN_IF_ERROR(EndRun(result));
  return Conclude(result);
}

absl::Status RunSession::LoadPlan() {
  if (!request_.resume.empty()) return LoadStoredPlan();
  experiment_ = request_.experiment;
  const uint64_t seed = request_.seed.has_value() ? *request_.seed
                        : experiment_.has_seed()  ? experiment_.seed()
                                                  : DrawSeed();
  ASSIGN_OR_RETURN(plan_, MakePlan(experiment_, seed));
  plan_.set_confirms(confirms_);
  run_ = NewRunName(clock_->Now());
  return absl::OkStatus();
}

absl::Status RunSession::LoadStoredPlan() {
  ASSIGN_OR_RETURN(run_, store_->ResolveRun(request_.resume));
  ASSIGN_OR_RETURN(StoredRun stored, store_->LoadRun(run_));
  // To an open-ended run rounds may be added whatever was said before.
  const bool has_rounds_left = stored.summary.trials_counted < stored.summary.trials_planned;
  if (stored.summary.state == RunState::kComplete &&
      !(IsOpenEnded(stored.experiment) && has_rounds_left)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("run ", run_, " is complete, there is nothing to resume"))
        .Try(absl::StrCat("tare show ", run_));
  }
  RETURN_IF_ERROR(CheckResumable(stored.experiment));
  experiment_ = std::move(stored.experiment);
  plan_ = std::move(stored.plan);
  ASSIGN_OR_RETURN(counted_, CountedTrials(*store_, run_));
  return LoadExpectations();
}

// What the run was measured with so far: machine and programs must still be the same.
absl::Status RunSession::LoadExpectations() {
  for (const int32_t trial : counted_) {
    ASSIGN_OR_RETURN(const TrialData data, LoadTrialData(*store_, run_, trial));
    machine_ = data.record.machine();
    for (const v1::Process& process : data.record.processes()) {
      // A server belongs to the arm of its trial's one process.
      std::string arm = plan_.trials(trial).roles(0).arm();
      for (const v1::Role& role : plan_.trials(trial).roles()) {
        if (role.role() == process.role()) arm = role.arm();
      }
      if (!expected_keys_.insert({process.role(), arm}).second) continue;
      v1::ExpectedProgram& expected = expected_.emplace_back();
      expected.set_role(process.role());
      expected.set_arm(arm);
      expected.set_program_sha256(process.program_sha256());
    }
  }
  return absl::OkStatus();
}

absl::Status RunSession::StartServer() {
  SessionServerOptions options;
  options.keep_chunk = [this](const v1::Chunk& chunk) { return store_->AddChunk(chunk); };
  options.listen = request_.listen.empty() ? PrivateAddress() : request_.listen;
  ASSIGN_OR_RETURN(server_, StartSessionServer(std::move(options)));
  if (!request_.listen.empty()) {
    std::fprintf(stderr, "listening on %s\n", server_->address().c_str());
  }
  return absl::OkStatus();
}

absl::StatusOr<ConnectedAgent> RunSession::FindAgent() {
  if (!request_.listen.empty()) return AwaitAgent(*server_, kRemoteAgentWait);
  ASSIGN_OR_RETURN(LocalAgent agent,
                   LocalAgent::Start(server_->address(), absl::StrCat(request_.store, ".spool")));
  local_agent_ = std::make_unique<LocalAgent>(std::move(agent));
  return AwaitAgent(*server_, kLocalAgentWait);
}

absl::Status RunSession::CheckMachine(const v1::Machine& machine) const {
  if (counted_.empty()) return absl::OkStatus();
  for (const auto& [what, was, is] :
       {std::tuple{"host", machine_.host(), machine.host()},
        std::tuple{"kernel", machine_.kernel(), machine.kernel()},
        std::tuple{"CPU", machine_.cpu_model(), machine.cpu_model()}}) {
    if (was == is) continue;
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("run ", run_, " was begun on another machine"))
        .Detail(absl::StrCat(what, " was '", was, "', is '", is, "'"))
        .Try("start a new run");
  }
  return absl::OkStatus();
}

absl::Status RunSession::BeginRun() {
  if (!request_.resume.empty()) return store_->SetRunState(run_, RunState::kRunning);
  return store_->AddRun(run_, absl::ToUnixNanos(clock_->Now()), RedactedExperiment(experiment_),
                        plan_);
}

// All that is not counted; of an open-ended run, the rounds of one session.
std::vector<int32_t> RunSession::TrialsToMeasure(int32_t rounds_complete) const {
  const int32_t rounds_end =
      IsOpenEnded(experiment_) ? rounds_complete + experiment_.design().rounds() : INT32_MAX;
  std::vector<int32_t> trials;
  for (const v1::Trial& trial : plan_.trials()) {
    if (counted_.contains(trial.trial()) || trial.round() >= rounds_end) continue;
    trials.push_back(trial.trial());
  }
  return trials;
}

absl::StatusOr<DispatchResult> RunSession::Measure(const ConnectedAgent& agent) {
  RunSoFar so_far(experiment_, plan_, run_);
  for (const int32_t trial : counted_) RETURN_IF_ERROR(so_far.Add(*store_, trial));
  DispatchOptions options;
  options.run = run_;
  options.agent = agent;
  options.clock = clock_;
  if (local_agent_ != nullptr) options.agent_wait = absl::ZeroDuration();
  options.trials = TrialsToMeasure(so_far.rounds_complete());
  const int32_t first = options.trials.empty() ? -1 : options.trials.front();
  options.make_spec = [this, first](int32_t trial) {
    v1::TrialSpec spec = MakeTrialSpec(experiment_, plan_, trial);
    spec.set_is_first(trial == first);
    spec.mutable_expected_programs()->Assign(expected_.begin(), expected_.end());
    return spec;
  };
  // What is made of the trials so far is made between two of them, so that it disturbs none.
  const auto done_count = static_cast<int32_t>(counted_.size());
  Progress progress =
      StderrProgress(clock_, done_count + static_cast<int32_t>(options.trials.size()), done_count);
  options.trial_done = [&](int32_t trial, const v1::TrialRecord& /*record*/) {
    progress.Advance(so_far.Add(*store_, trial).ok() ? so_far.Estimate() : "");
  };
  std::string reason;
  options.is_enough = [&]() -> absl::StatusOr<bool> {
    ASSIGN_OR_RETURN(const StopDecision decision, so_far.Look());
    reason = decision.reason;
    return decision.should_stop;
  };
  options.tick = [&progress] { progress.Tick(); };
  StoreAttemptLog log(store_.get(), run_);
  absl::StatusOr<DispatchResult> result = Dispatch(options, *server_, log);
  progress.Finish();
  if (result.ok() && result->end == DispatchResult::End::kEnough) {
    std::fprintf(stderr, "%s\n", reason.c_str());
  }
  return result;
}

absl::Status RunSession::EndRun(const absl::StatusOr<DispatchResult>& result) {
  RunState state = RunState::kFailed;
  if (result.ok() && result->end != DispatchResult::End::kFailed) {
    // The rounds of an open-ended run's session are over, those of its plan are not.
    ASSIGN_OR_RETURN(const std::set<int32_t> counted, CountedTrials(*store_, run_));
    const bool is_over = result->end == DispatchResult::End::kEnough ||
                         counted.size() == static_cast<size_t>(plan_.trials_size());
    state = is_over ? RunState::kComplete : RunState::kCancelled;
  }
  const absl::Status status = store_->SetRunState(run_, state);
  // The run's own failure is the better message of the two.
  return result.ok() ? status : absl::OkStatus();
}

absl::StatusOr<SessionResult> RunSession::Conclude(const absl::StatusOr<DispatchResult>& result) {
  SessionResult session{.exit_code = kExitInterrupted, .report = {}, .experiment = experiment_};
  ASSIGN_OR_RETURN(const std::set<int32_t> counted, CountedTrials(*store_, run_));
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", KeptNote(counted.size()).c_str());
    return result.status();
  }
  if (result->end == DispatchResult::End::kFailed) {
    session.exit_code = ComplainOfTrial(result->record);
    if (session.exit_code != kExitRefused) {
      std::fprintf(stderr, "%s\n", KeptNote(counted.size()).c_str());
      return session;
    }
  }
  const bool was_interrupted = result->end == DispatchResult::End::kInterrupted;
  const bool has_more = result->end == DispatchResult::End::kComplete &&
                        counted.size() < static_cast<size_t>(plan_.trials_size());
  if (was_interrupted || has_more) {
    std::fprintf(stderr, "%s\n", KeptNote(counted.size()).c_str());
  }
  if (was_interrupted && counted.empty()) return session;
  ASSIGN_OR_RETURN(const RunData data, LoadRunData(*store_, run_));
  ASSIGN_OR_RETURN(session.report, Analyse(data));
  if (!was_interrupted) session.exit_code = session.report->exit_code();
  return session;
}

std::string RunSession::KeptNote(size_t counted) const {
  if (counted == 0) return absl::StrCat("run ", run_, ": nothing was measured");
  return absl::StrCat("run ", run_, ": ", counted, " of ", plan_.trials_size(),
                      " trials are kept; go on with: tare run --resume ", run_);
}

}  // namespace tare::coordinator
