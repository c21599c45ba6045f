// A server that stops: what an open loop must show of it, and what a closed one hides.
//
// Samples are counted, times are not compared: of 200 requests a second, a stall of half a second
// catches a hundred, and those that were meant for its last fifth wait a fifth as long as those for
// its first.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/clock.h"
#include "gtest/gtest.h"
#include "tests/load/http_server.h"
#include "tests/load/load_trial.h"
#include "tests/proxy/sockets.h"

namespace tare::load {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int kRate = 200;
constexpr int kSamples = 280;
constexpr int kRequestsUnderWay = 50;
// Requests that a busy machine's own lateness may move, of about 100 in question.
constexpr int kSlack = 20;

// A server in a process of its own, which can be stopped.
class ServerProcess {
 public:
  ServerProcess() {
    int ends[2];
    int served[2];
    EXPECT_EQ(pipe(ends), 0);
    EXPECT_EQ(pipe(served), 0);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      HttpServer server([&served](int, const std::string&) {
        static std::atomic<int> count = 0;
        if (++count == kRequestsUnderWay && write(served[1], "x", 1) < 0) _exit(1);
        return Reply200();
      });
      const UniqueFd address(ends[1]);
      if (write(address.get(), server.address().data(), server.address().size()) < 0) _exit(1);
      while (true) pause();
    }
    close(ends[1]);
    close(served[1]);
    served_ = UniqueFd(served[0]);
    const UniqueFd address(ends[0]);
    char text[64];
    const ssize_t count = read(address.get(), text, sizeof text);
    EXPECT_GT(count, 0);
    address_.assign(text, static_cast<size_t>(std::max<ssize_t>(count, 0)));
  }
  ~ServerProcess() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  const std::string& address() const { return address_; }

  // Returns when it has answered some requests.
  void AwaitLoad() {
    char byte = 0;
    EXPECT_EQ(read(served_.get(), &byte, 1), 1);
  }

  // Stops it for half a second; returns for how long it was.
  int64_t Stall() {
    const absl::Duration begun = Clock::Real()->Monotonic();
    kill(pid_, SIGSTOP);
    Clock::Real()->Wait(absl::Milliseconds(500));
    kill(pid_, SIGCONT);
    return absl::ToInt64Nanoseconds(Clock::Real()->Monotonic() - begun);
  }

 private:
  pid_t pid_ = -1;
  UniqueFd served_;
  std::string address_;
};

struct Stalled {
  LoadTrial trial;
  int64_t stall_ns = 0;
};

// A load of which the server misses half a second in the middle.
Stalled RunStalled(const nlohmann::json& config) {
  ServerProcess server;
  Stalled stalled;
  std::thread stopper([&] {
    Clock::Real()->Wait(absl::Milliseconds(400));
    stalled.stall_ns = server.Stall();
  });
  stalled.trial = RunTrial(server.address(), config, {.samples = kSamples});
  stopper.join();
  EXPECT_EQ(stalled.trial.Error(), "");
  return stalled;
}

// How many requests an open loop means to send in `ns`.
double SentIn(int64_t ns) { return kRate * static_cast<double>(ns) / 1e9; }

// Of each latency up to the stall's length, as many requests are above it as were meant for the
// time before the last of it, and they fall linearly: 300 ms more are 60 requests fewer. A busy
// machine makes all of them longer alike.
void ExpectLinearFall(const Stalled& stalled) {
  const std::vector<int64_t> values = stalled.trial.Column("value_ns");
  for (const int64_t limit_ns : {100 * kMs, 200 * kMs, 300 * kMs, 400 * kMs}) {
    EXPECT_GE(CountAbove(values, limit_ns), SentIn(stalled.stall_ns - limit_ns) - kSlack)
        << limit_ns;
  }
  EXPECT_NEAR(CountAbove(values, 100 * kMs) - CountAbove(values, 400 * kMs), SentIn(300 * kMs),
              kSlack);
}

TEST(Stall, IsSeenByEveryRequestThatWasMeantForIt) {
  const Stalled stalled = RunStalled(OpenLoop({{"rate", "200/s"}, {"connections", 256}}));
  ExpectLinearFall(stalled);
  // All had a connection and were sent, so their service took as long.
  EXPECT_GE(CountAbove(stalled.trial.Step("service"), 100 * kMs),
            SentIn(stalled.stall_ns - 100 * kMs) - kSlack);
}

TEST(Stall, IsInTheServiceTimeOfThoseOnlyThatWereOutstanding) {
  const Stalled stalled = RunStalled(OpenLoop({{"rate", "200/s"}, {"connections", 4}}));
  ExpectLinearFall(stalled);
  EXPECT_EQ(CountAbove(stalled.trial.Step("service"), 100 * kMs), 4);
  EXPECT_GE(CountAbove(stalled.trial.Step("connect"), 100 * kMs),
            SentIn(stalled.stall_ns - 100 * kMs) - kSlack);
}

TEST(Stall, IsHiddenByAClosedLoop) {
  ServerProcess server;
  int64_t stall_ns = 0;
  std::thread stopper([&] {
    server.AwaitLoad();
    stall_ns = server.Stall();
  });
  const LoadTrial trial =
      RunTrial(server.address(), ClosedLoop({{"connections", 2}}), {.samples = 10'000});
  stopper.join();
  EXPECT_EQ(trial.Error(), "");
  const int above = CountAbove(trial.Column("value_ns"), 400 * kMs);
  EXPECT_GE(above, 1);
  EXPECT_LE(above, 2);
}

}  // namespace
}  // namespace tare::load
