#include "coordinator/cli/run_experiment.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/status.h"
#include "base/token.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/local_agent.h"
#include "coordinator/cli/progress_estimate.h"
#include "coordinator/cli/redact.h"
#include "coordinator/cli/report_output.h"
#include "coordinator/cli/stored_data.h"
#include "coordinator/dispatch/dispatch.h"
#include "coordinator/dispatch/session_server.h"
#include "coordinator/plan/plan.h"
#include "coordinator/report/progress.h"
#include "coordinator/store/store.h"

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

class Runner {
 public:
  explicit Runner(const RunRequest& request) : request_(request), clock_(Clock::Real()) {}

  absl::StatusOr<int> Run() {
    ASSIGN_OR_RETURN(store_, OpenSqliteStore(request_.store));
    RETURN_IF_ERROR(LoadPlan());
    RETURN_IF_ERROR(StartServer());
    SignalScope signals(server_.get());
    ASSIGN_OR_RETURN(const ConnectedAgent agent, FindAgent());
    if (absl::Status status = CheckMachine(agent.registration.machine()); !status.ok()) {
      Complain(status);
      return kExitRefused;
    }
    RETURN_IF_ERROR(BeginRun());
    absl::StatusOr<DispatchResult> result = Measure(agent);
    RETURN_IF_ERROR(EndRun(result));
    return Conclude(result);
  }

 private:
  absl::Status LoadPlan() {
    if (request_.resume.empty()) {
      experiment_ = request_.experiment;
      seed_ = request_.seed.has_value() ? *request_.seed
              : experiment_.has_seed()  ? experiment_.seed()
                                        : DrawSeed();
      ASSIGN_OR_RETURN(plan_, MakePlan(experiment_, seed_));
      run_ = NewRunName(clock_->Now());
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(run_, store_->ResolveRun(request_.resume));
    ASSIGN_OR_RETURN(StoredRun stored, store_->LoadRun(run_));
    if (stored.summary.state == RunState::kComplete) {
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

  static uint64_t DrawSeed() {
    uint64_t seed = 0;
    for (const char c : RandomToken(12)) seed = seed * 36 + static_cast<uint64_t>(c);
    return seed & kSeedMask;
  }

  // What the run was measured with so far: machine and programs must still be the same.
  absl::Status LoadExpectations() {
    for (const int32_t trial : counted_) {
      ASSIGN_OR_RETURN(const TrialData data, LoadTrialData(*store_, run_, trial));
      machine_ = data.record.machine();
      for (const v1::Process& process : data.record.processes()) {
        const v1::Role& role = plan_.trials(trial).roles(0);
        if (!expected_keys_.insert({process.role(), role.arm()}).second) continue;
        v1::ExpectedProgram& expected = expected_.emplace_back();
        expected.set_role(process.role());
        expected.set_arm(role.arm());
        expected.set_program_sha256(process.program_sha256());
      }
    }
    return absl::OkStatus();
  }

  absl::Status StartServer() {
    SessionServerOptions options;
    options.keep_chunk = [this](const v1::Chunk& chunk) { return store_->AddChunk(chunk); };
    options.listen = request_.listen.empty() ? PrivateAddress() : request_.listen;
    ASSIGN_OR_RETURN(server_, StartSessionServer(std::move(options)));
    if (!request_.listen.empty()) {
      std::fprintf(stderr, "listening on %s\n", server_->address().c_str());
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ConnectedAgent> FindAgent() {
    if (!request_.listen.empty()) return AwaitAgent(*server_, kRemoteAgentWait);
    ASSIGN_OR_RETURN(LocalAgent agent,
                     LocalAgent::Start(server_->address(), absl::StrCat(request_.store, ".spool")));
    local_agent_ = std::make_unique<LocalAgent>(std::move(agent));
    return AwaitAgent(*server_, kLocalAgentWait);
  }

  absl::Status CheckMachine(const v1::Machine& machine) {
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

  absl::Status BeginRun() {
    if (!request_.resume.empty()) return store_->SetRunState(run_, RunState::kRunning);
    return store_->AddRun(run_, absl::ToUnixNanos(clock_->Now()), RedactedExperiment(experiment_),
                          plan_);
  }

  absl::StatusOr<DispatchResult> Measure(const ConnectedAgent& agent) {
    DispatchOptions options;
    options.run = run_;
    options.agent = agent;
    options.clock = clock_;
    if (local_agent_ != nullptr) options.agent_wait = absl::ZeroDuration();
    for (int32_t trial = 0; trial < plan_.trials_size(); ++trial) {
      if (counted_.count(trial) == 0) options.trials.push_back(trial);
    }
    const int32_t first = options.trials.empty() ? -1 : options.trials.front();
    options.make_spec = [this, first](int32_t trial) {
      v1::TrialSpec spec = MakeTrialSpec(experiment_, plan_, trial);
      spec.set_is_first(trial == first);
      spec.mutable_expected_programs()->Assign(expected_.begin(), expected_.end());
      return spec;
    };
    // The estimate so far is made between trials, so that it disturbs none.
    ProgressEstimate estimate(experiment_, plan_, run_);
    Progress progress =
        StderrProgress(clock_, plan_.trials_size(), static_cast<int32_t>(counted_.size()));
    options.trial_done = [&](int32_t trial, const v1::TrialRecord& /*record*/) {
      progress.Advance(estimate.Update(*store_, trial));
    };
    options.tick = [&progress] { progress.Tick(); };
    StoreAttemptLog log(store_.get(), run_);
    absl::StatusOr<DispatchResult> result = Dispatch(options, *server_, log);
    progress.Finish();
    return result;
  }

  absl::Status EndRun(const absl::StatusOr<DispatchResult>& result) {
    RunState state = RunState::kFailed;
    if (result.ok() && result->end == DispatchResult::End::kComplete) state = RunState::kComplete;
    if (result.ok() && result->end == DispatchResult::End::kInterrupted) {
      state = RunState::kCancelled;
    }
    const absl::Status status = store_->SetRunState(run_, state);
    // The run's own failure is the better message of the two.
    return result.ok() ? status : absl::OkStatus();
  }

  absl::StatusOr<int> Conclude(const absl::StatusOr<DispatchResult>& result) {
    ASSIGN_OR_RETURN(const std::set<int32_t> counted, CountedTrials(*store_, run_));
    if (!result.ok()) {
      std::fprintf(stderr, "%s\n", KeptNote(counted.size()).c_str());
      return result.status();
    }
    if (result->end == DispatchResult::End::kFailed) {
      const int code = ComplainOfTrial(result->record);
      if (code != kExitRefused) {
        std::fprintf(stderr, "%s\n", KeptNote(counted.size()).c_str());
        return code;
      }
    }
    const bool was_interrupted = result->end == DispatchResult::End::kInterrupted;
    if (was_interrupted) std::fprintf(stderr, "%s\n", KeptNote(counted.size()).c_str());
    if (was_interrupted && counted.empty()) return kExitInterrupted;
    ASSIGN_OR_RETURN(const RunData data, LoadRunData(*store_, run_));
    ASSIGN_OR_RETURN(const int code, PrintReport(data, request_.store, request_.json));
    return was_interrupted ? kExitInterrupted : code;
  }

  // A failure of the machine or of the set-up is said at once; one of the measured program is part
  // of the report.
  static int ComplainOfTrial(const v1::TrialRecord& record) {
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

  std::string KeptNote(size_t counted) const {
    if (counted == 0) return absl::StrCat("run ", run_, ": nothing was measured");
    return absl::StrCat("run ", run_, ": ", counted, " of ", plan_.trials_size(),
                        " trials are kept; go on with: tare run --resume ", run_);
  }

  const RunRequest& request_;
  Clock* const clock_;
  std::unique_ptr<Store> store_;
  v1::Experiment experiment_;
  v1::Plan plan_;
  uint64_t seed_ = 0;
  std::string run_;
  std::set<int32_t> counted_;
  v1::Machine machine_;
  std::set<std::pair<std::string, std::string>> expected_keys_;
  std::vector<v1::ExpectedProgram> expected_;
  // In this order: the agent ends when the server is gone.
  std::unique_ptr<LocalAgent> local_agent_;
  std::unique_ptr<SessionServer> server_;
};

}  // namespace

int RunExperiment(const RunRequest& request) {
  const absl::StatusOr<int> code = Runner(request).Run();
  return code.ok() ? *code : Complain(code.status());
}

}  // namespace tare::coordinator
