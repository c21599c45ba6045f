// Servers that fail: what failed is counted by kind, is never fast, and refuses the trial.

#include "gtest/gtest.h"
#include "tests/load/http_server.h"
#include "tests/load/load_trial.h"
#include "tests/proxy/sockets.h"

namespace tare::load {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMs = 1'000'000;

// Answers every tenth request as `failing` says.
HttpServer::Handler EveryTenth(const Answer& failing) {
  return
      [failing](int number, const std::string&) { return number % 10 == 9 ? failing : Reply200(); };
}

struct Kind {
  const char* name;
  Answer failing;
  const char* counter;
  const char* kind;
  const char* example;
};

class Failing : public testing::TestWithParam<Kind> {};

// In a closed loop of one connection, so that the tenth request is the one that fails.
TEST_P(Failing, AreCountedAndNeverFast) {
  HttpServer server(EveryTenth(GetParam().failing));
  const LoadTrial refused =
      RunTrial(server.address(), ClosedLoop({{"timeout", "60ms"}}), {.samples = 20});
  EXPECT_EQ(refused.Error(), std::string("2 of 20 requests failed: 2 x ") + GetParam().kind +
                                 " | the first was request 9, GET /9: " + GetParam().example +
                                 "; errors_max is 0 | incomplete");
  // The samples are there, the failed ones among them.
  const std::vector<int64_t> values = refused.Column("value_ns");
  ASSERT_EQ(values.size(), 20u);
  EXPECT_GE(values[9], 60 * kMs);
  EXPECT_GE(values[19], 60 * kMs);
  const LoadTrial accepted = RunTrial(
      server.address(), ClosedLoop({{"timeout", "60ms"}, {"errors_max", 2}}), {.samples = 20});
  for (const char* counter : {"errors_http", "errors_timeout", "errors_refused", "errors_broken"}) {
    EXPECT_EQ(accepted.Counter(counter), std::string(counter) == GetParam().counter ? 2 : 0)
        << counter;
  }
  EXPECT_EQ(accepted.evidence["operations"], 20);
  EXPECT_EQ(accepted.evidence["records"], 18);
}

INSTANTIATE_TEST_SUITE_P(
    Requests, Failing,
    testing::Values(
        Kind{"status", ReplyStatus(500), "errors_http", "HTTP 500", "HTTP 500"},
        Kind{"redirect", ReplyStatus(302), "errors_http", "HTTP 302", "HTTP 302"},
        Kind{"silent", {{}}, "errors_timeout", "timeout", "no reply in time"},
        Kind{"halfway",
             {{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal"}},
             "errors_timeout",
             "timeout",
             "no reply in time"},
        Kind{"closed",
             {{}, absl::ZeroDuration(), true},
             "errors_broken",
             "connection broken",
             "the server closed without a reply"},
        Kind{"cut",
             {{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut"}, absl::ZeroDuration(), true},
             "errors_broken",
             "connection broken",
             "the server closed within a reply"},
        Kind{"garbage",
             {{"what?\r\n\r\n"}},
             "errors_broken",
             "connection broken",
             "the reply is not HTTP/1.x"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Failures, OfAServerThatIsNotThereAreRefusedConnections) {
  const LoadTrial trial = RunTrial(FreeAddress(), OpenLoop({{"timeout", "30ms"}}));
  EXPECT_EQ(trial.Error(),
            "100 of 100 requests failed: 100 x connection refused | the first was request 0, GET "
            "/0: no connection: Connection refused; errors_max is 0 | incomplete");
  for (const int64_t value : trial.Column("value_ns")) EXPECT_GE(value, 30 * kMs);
  const std::vector<int64_t> service = trial.Step("service");
  EXPECT_EQ(service, std::vector<int64_t>(100, 0));
}

TEST(Failures, DoNotHoldUpTheOthers) {
  // Each of the silent ones takes a connection with it until its time is over.
  HttpServer server(EveryTenth({{}}));
  const LoadTrial trial = RunTrial(
      server.address(), OpenLoop({{"timeout", "500ms"}, {"connections", 16}, {"errors_max", 10}}));
  EXPECT_EQ(trial.Counter("errors_timeout"), 10) << trial.Error();
  EXPECT_EQ(CountAbove(trial.Column("value_ns"), 500 * kMs - 1), 10);
}

TEST(Failures, InWarmupAreSeenButDoNotRefuse) {
  HttpServer server(
      [](int number, const std::string&) { return number < 5 ? ReplyStatus(503) : Reply200(); });
  const LoadTrial trial =
      RunTrial(server.address(), ClosedLoop({{"timeout", "50ms"}}), {.samples = 20, .warmup = 8});
  EXPECT_EQ(trial.Counter("errors_warmup"), 5) << trial.Error();
  EXPECT_EQ(trial.Counter("errors_http"), 0);
  EXPECT_EQ(trial.evidence["operations"], 12);
  EXPECT_GE(trial.Column("value_ns")[4], 50 * kMs);
}

TEST(Failures, OfATrialWithoutACountedRequest) {
  HttpServer server([](int, const std::string&) { return Reply200(); });
  EXPECT_EQ(RunTrial(server.address(), OpenLoop(), {.samples = 0}).Error(),
            "there is no request to send | the agent asks for 0 samples | ");
  EXPECT_EQ(RunTrial(server.address(), OpenLoop(), {.samples = 5, .warmup = 5}).Error(),
            "no request was counted | 5 were sent, all of them warm-up | incomplete");
}

TEST(WorkCounters, AreReadBeforeAndAfter) {
  int64_t queries = 100;
  HttpServer server([&queries](int, const std::string& request) {
    if (!request.starts_with("GET /metrics ")) {
      queries += 3;
      return Reply200();
    }
    return Reply200(Json({{"queries", queries}, {"requests", 7}}).dump());
  });
  const LoadTrial trial =
      RunTrial(server.address(), ClosedLoop({{"work", "/metrics"}}), {.samples = 20, .warmup = 5});
  EXPECT_EQ(trial.Counter("work_queries"), 60) << trial.Error();
  EXPECT_EQ(trial.Counter("work_requests"), 0);
  EXPECT_EQ(trial.Counter("work_operations"), 20);
  EXPECT_FALSE(
      RunTrial(server.address(), ClosedLoop()).evidence["counters"].contains("work_operations"));
}

TEST(WorkCounters, ThatCannotBeReadAreAnError) {
  const std::pair<Answer, const char*> cases[] = {
      {ReplyStatus(404), "the server's work counters at '/w' cannot be read | HTTP 404 | "},
      {{{}, absl::ZeroDuration(), true},
       "the server's work counters at '/w' cannot be read | the server closed without a reply | "},
      {{{}}, "the server's work counters at '/w' cannot be read | no reply in time | "},
      {Reply200("requests 5"),
       "the server's work counters at '/w' are not a JSON object of 1 to 64 integers | the reply "
       "begins with: requests 5 | "},
      {Reply200("{}"),
       "the server's work counters at '/w' are not a JSON object of 1 to 64 integers | the reply "
       "begins with: {} | "},
      {Reply200("{\"a\":1.5}"),
       "the server's work counters at '/w' are not a JSON object of 1 to 64 integers | the reply "
       "begins with: {\"a\":1.5} | "},
  };
  for (const auto& [answer, error] : cases) {
    HttpServer server([&answer = answer](int, const std::string&) { return answer; });
    const LoadTrial trial =
        RunTrial(server.address(), ClosedLoop({{"work", "/w"}, {"timeout", "50ms"}}));
    EXPECT_EQ(trial.Error(), error);
    EXPECT_TRUE(trial.samples.is_null());
  }
}

TEST(WorkCounters, ThatChangeOrGoAwayDoNotLoseTheSamples) {
  HttpServer server([](int number, const std::string&) {
    return number == 0 ? Reply200("{\"a\":1}") : Reply200("{\"b\":1}");
  });
  const LoadTrial trial = RunTrial(server.address(), ClosedLoop({{"work", "/w"}}), {.samples = 5});
  EXPECT_EQ(trial.Error(),
            "the server's work counters changed their names during the load | there were 1 before "
            "and 1 after | ");
  EXPECT_EQ(trial.Column("value_ns").size(), 5u);
}

}  // namespace
}  // namespace tare::load
