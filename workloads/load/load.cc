#include "workloads/load/load.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "workloads/load/health.h"

namespace tare::load {
namespace {

int64_t CpuNs() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * int64_t{1'000'000'000} + used.tv_nsec;
}

std::string Hex(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

int64_t Per1000s(double rate) { return std::llround(rate * 1'000); }

}  // namespace

sdk::About Load::about() const {
  return {"tare-load", "sends one HTTP request and waits for its reply, many at a time",
          DescribeSettings()};
}

std::optional<sdk::Error> Load::Setup(sdk::TrialSetup& setup) {
  setup.steps = {"lag", "connect", "service"};
  if (setup.arms.size() != 1) {
    return sdk::Error{
        "tare-load measures one arm a process, and was given " + std::to_string(setup.arms.size()),
        "use pairing: rounds", ""};
  }
  auto settings = ReadSettings(setup.arms.front(), setup.services);
  if (auto* error = std::get_if<sdk::Error>(&settings)) return std::move(*error);
  settings_ = std::get<Settings>(std::move(settings));
  if (setup.samples_max == 0) {
    return sdk::Error{"there is no request to send", "the agent asks for 0 samples", ""};
  }
  if (auto error = MakeTimes(setup.samples_max, setup.seed)) return error;
  auto requests = Requests::Make(settings_, setup.samples_max, setup.seed);
  if (auto* error = std::get_if<sdk::Error>(&requests)) return std::move(*error);
  requests_ = std::get<Requests>(std::move(requests));
  generator_.emplace(&settings_, &requests_, &times_);
  return std::nullopt;
}

std::optional<sdk::Error> Load::MakeTimes(int64_t count, uint64_t seed) {
  if (settings_.is_closed) return std::nullopt;
  switch (settings_.schedule) {
    case Schedule::kConstant:
      times_ = ConstantTimes(settings_.rate, count);
      break;
    case Schedule::kPoisson:
      times_ = PoissonTimes(settings_.rate, count, seed);
      break;
    case Schedule::kSteps: {
      auto times = StepTimes(settings_.steps, count);
      if (auto* error = std::get_if<sdk::Error>(&times)) return std::move(*error);
      times_ = std::get<SendTimes>(std::move(times));
      break;
    }
  }
  return std::nullopt;
}

std::optional<sdk::Error> Load::RunBlock(const sdk::BlockRequest& request, sdk::Block& block) {
  if (has_run_) {
    return sdk::Error{"the agent asked for a second block", "a schedule has one block", ""};
  }
  has_run_ = true;
  count_ = request.arms.size();
  warmup_ =
      request.is_warmup ? count_ : std::min(static_cast<size_t>(request.warmup_samples), count_);
  auto before = ReadWork();
  if (auto* error = std::get_if<sdk::Error>(&before)) return std::move(*error);
  const int64_t cpu_begun_ns = CpuNs();
  if (auto error = generator_->Run(count_)) return error;
  cpu_ns_ = CpuNs() - cpu_begun_ns;
  FinishWork(std::get<WorkCounters>(before));
  for (size_t i = 0; i < count_; ++i) Deliver(i, block);
  return std::nullopt;
}

std::variant<sdk::Error, WorkCounters> Load::ReadWork() const {
  if (settings_.work.empty()) return WorkCounters();
  return ReadWorkCounters(settings_.server, settings_.work, settings_.timeout_ns);
}

// The samples are there by now, and are kept though the server may be gone.
void Load::FinishWork(const WorkCounters& before) {
  auto work = ReadWork();
  if (const auto* after = std::get_if<WorkCounters>(&work)) work = Subtract(*after, before);
  if (auto* error = std::get_if<sdk::Error>(&work)) {
    work_error_ = std::move(*error);
  } else {
    work_ = std::get<WorkCounters>(std::move(work));
  }
}

// The three steps add up to the value, whatever became of the request.
void Load::Deliver(size_t i, sdk::Block& block) const {
  const Outcome& outcome = generator_->outcomes()[i];
  sdk::Block::Sample sample;
  sample.start_ns = outcome.intended_ns;
  sample.value_ns = outcome.ended_ns - outcome.intended_ns;
  if (outcome.failure != Failure::kNone) {
    sample.value_ns = std::max(sample.value_ns, settings_.timeout_ns);
  }
  const int64_t lag_ns = outcome.taken_ns - outcome.intended_ns;
  const int64_t rest_ns = sample.value_ns - lag_ns;
  const int64_t connect_ns = outcome.sent_ns >= 0 ? outcome.sent_ns - outcome.taken_ns : rest_ns;
  block.Set(i, sample, std::array{lag_ns, connect_ns, rest_ns - connect_ns});
}

std::optional<sdk::Error> Load::Collect(std::vector<sdk::Evidence>& evidence) {
  if (count_ <= warmup_) {
    return sdk::Error{"no request was counted",
                      std::to_string(count_) + " were sent, all of them warm-up", "incomplete"};
  }
  const std::span<const Outcome> all(generator_->outcomes().data(), count_);
  const std::span<const Outcome> counted = all.subspan(warmup_);
  const Health health = Assess(counted, settings_);
  if (auto error = CheckFailures(health, counted, settings_, requests_, warmup_)) return error;
  if (auto error = CheckSchedule(health, settings_)) return error;
  if (work_error_.has_value()) return work_error_;
  const auto failures = [&health](Failure failure) {
    return health.failures[static_cast<size_t>(failure)];
  };
  sdk::Evidence& arm = evidence.front();
  arm.checksum = Hex(requests_.Digest(warmup_, count_));
  arm.records = failures(Failure::kNone);
  arm.counters = {{"errors_http", failures(Failure::kHttp)},
                  {"errors_timeout", failures(Failure::kTimeout)},
                  {"errors_refused", failures(Failure::kRefused)},
                  {"errors_broken", failures(Failure::kBroken)},
                  {"errors_warmup", Assess(all.first(warmup_), settings_).failed()},
                  {"lag_p50_ns", health.lag_p50_ns},
                  {"lag_p99_ns", health.lag_p99_ns},
                  {"asked_requests_per_1000s", Per1000s(health.rate_asked)},
                  {"achieved_requests_per_1000s", Per1000s(health.rate_achieved)},
                  {"own_cpu_ns", cpu_ns_},
                  {"connections_opened", generator_->connections_opened()}};
  for (const auto& [name, added] : work_) arm.counters.emplace_back("work_" + name, added);
  if (!work_.empty()) {
    arm.counters.emplace_back("work_operations", static_cast<int64_t>(count_));
  }
  arm.digests = {{"loop", settings_.is_closed ? "closed" : "open"}};
  return std::nullopt;
}

}  // namespace tare::load
