// Judged on outcomes that are made up, so that no clock takes part.

#include "workloads/load/health.h"

#include <cerrno>

#include "gtest/gtest.h"

namespace tare::load {
namespace {

constexpr int64_t kMs = 1'000'000;

Settings OpenLoop() {
  Settings settings;
  settings.method = "GET";
  settings.rate = 500;
  settings.target = std::get<Target>(Target::Parse("/{n}"));
  settings.connections_max = 4;
  settings.timeout_ns = 1'000 * kMs;
  settings.lag_max_ns = 2 * kMs;
  return settings;
}

// 500/s, each sent at once and answered after 1 ms.
std::vector<Outcome> Punctual(int count) {
  std::vector<Outcome> outcomes(static_cast<size_t>(count));
  int64_t at_ns = 0;
  for (Outcome& outcome : outcomes) {
    outcome.intended_ns = outcome.taken_ns = outcome.sent_ns = at_ns;
    outcome.ended_ns = at_ns + kMs;
    outcome.code = 200;
    at_ns += 2 * kMs;
  }
  return outcomes;
}

void FailAt(Outcome* outcome, Failure failure, int code, const char* what) {
  outcome->failure = failure;
  outcome->code = code;
  outcome->what = what;
}

TEST(Health, OfAPunctualLoadIsGood) {
  const Health health = Assess(Punctual(701), OpenLoop());
  EXPECT_EQ(health.requests, 701);
  EXPECT_EQ(health.failed(), 0);
  EXPECT_EQ(health.lag_p99_ns, 0);
  EXPECT_DOUBLE_EQ(health.rate_asked, 500);
  EXPECT_DOUBLE_EQ(health.rate_achieved, 500);
  EXPECT_EQ(health.waited, 0);
  EXPECT_FALSE(CheckSchedule(health, OpenLoop()).has_value());
}

TEST(Health, TakesQuantilesByNearestRank) {
  std::vector<Outcome> outcomes = Punctual(200);
  for (size_t i = 0; i < 200; ++i) {
    outcomes[i].taken_ns = outcomes[i].sent_ns =
        outcomes[i].intended_ns + static_cast<int64_t>(i) + 1;
  }
  const Health health = Assess(outcomes, OpenLoop());
  EXPECT_EQ(health.lag_p50_ns, 100);
  EXPECT_EQ(health.lag_p99_ns, 198);
}

TEST(Health, RefusesALateGenerator) {
  std::vector<Outcome> outcomes = Punctual(200);
  const auto make_late = [&outcomes](size_t i) {
    outcomes[i].taken_ns = outcomes[i].sent_ns = outcomes[i].intended_ns + 3'104'000;
  };
  make_late(20);
  make_late(21);
  EXPECT_FALSE(CheckSchedule(Assess(outcomes, OpenLoop()), OpenLoop()).has_value());
  make_late(22);
  const auto error = CheckSchedule(Assess(outcomes, OpenLoop()), OpenLoop());
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, "the generator was late: send lag p99 3.1 ms, limit 2 ms");
  EXPECT_EQ(error->detail, "give it a CPU of its own, or lower 'rate'; p50 was 0 ns");
  EXPECT_EQ(error->code, "generator-behind");
}

TEST(Health, RefusesALoadThatWaitedForConnections) {
  std::vector<Outcome> outcomes = Punctual(501);
  for (Outcome& outcome : outcomes) outcome.sent_ns = outcome.taken_ns * 5 / 4 + 1;
  const Health health = Assess(outcomes, OpenLoop());
  EXPECT_EQ(health.lag_p99_ns, 0);
  EXPECT_EQ(health.waited, 501);
  const auto error = CheckSchedule(health, OpenLoop());
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, "the schedule was not kept: 400.0/s of 500.0/s were sent, limit 98 %");
  EXPECT_EQ(error->detail,
            "501 of 501 requests waited for one of 4 connections; raise 'connections', or lower "
            "'rate'");
  EXPECT_EQ(error->code, "generator-behind");
}

// A hundredth of a second is 2 % of half a second; of ten requests it is a half.
TEST(Health, DoesNotTakeAShortLoadByItsLastRequest) {
  std::vector<Outcome> outcomes = Punctual(3);
  outcomes.back().sent_ns += kMs;
  const Health health = Assess(outcomes, OpenLoop());
  EXPECT_LT(health.rate_achieved * 100, health.rate_asked * kRatePercentMin);
  EXPECT_FALSE(CheckSchedule(health, OpenLoop()).has_value());
}

TEST(Health, OfAClosedLoopHasNoSchedule) {
  Settings settings = OpenLoop();
  settings.is_closed = true;
  std::vector<Outcome> outcomes = Punctual(501);
  for (Outcome& outcome : outcomes) outcome.taken_ns += 5 * kMs;
  const Health health = Assess(outcomes, settings);
  EXPECT_EQ(health.rate_asked, 0);
  EXPECT_DOUBLE_EQ(health.rate_achieved, 500);
  EXPECT_FALSE(CheckSchedule(health, settings).has_value());
}

TEST(Health, OfNothingAndOfOneRequestHasNoRate) {
  EXPECT_EQ(Assess({}, OpenLoop()).requests, 0);
  const Health health = Assess(Punctual(1), OpenLoop());
  EXPECT_EQ(health.rate_asked, 0);
  EXPECT_FALSE(CheckSchedule(health, OpenLoop()).has_value());
}

TEST(Health, CountsFailuresByKindAndShowsTheFirst) {
  Settings settings = OpenLoop();
  const Requests requests = std::get<Requests>(Requests::Make(settings, 20, 1));
  std::vector<Outcome> all = Punctual(20);
  const std::span<const Outcome> counted(all.data() + 5, 15);
  FailAt(&all[8], Failure::kRefused, ECONNREFUSED, "no connection");
  for (const size_t i : {9, 10, 11}) FailAt(&all[i], Failure::kHttp, 500, "");
  FailAt(&all[12], Failure::kHttp, 404, "");
  FailAt(&all[13], Failure::kTimeout, 0, "no reply in time");
  FailAt(&all[14], Failure::kBroken, 0, "the reply is not HTTP/1.x");
  const Health health = Assess(counted, settings);
  EXPECT_EQ(health.failed(), 7);
  const auto error = CheckFailures(health, counted, settings, requests, 5);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message,
            "7 of 15 requests failed: 1 x HTTP 404, 3 x HTTP 500, 1 x timeout, 1 x connection "
            "refused, 1 x connection broken");
  EXPECT_EQ(error->detail,
            "the first was request 8, GET /8: no connection: Connection refused; errors_max is 0");
  EXPECT_EQ(error->code, "incomplete");
  settings.errors_max = 6;
  EXPECT_TRUE(CheckFailures(health, counted, settings, requests, 5).has_value());
  settings.errors_max = 7;
  EXPECT_FALSE(CheckFailures(health, counted, settings, requests, 5).has_value());
}

}  // namespace
}  // namespace tare::load
