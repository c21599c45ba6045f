// What goes over the wire, and what the samples say of it.

#include <cstdlib>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/load/http_server.h"
#include "tests/load/load_trial.h"

namespace tare::load {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMs = 1'000'000;

HttpServer::Handler Good() {
  return [](int, const std::string&) { return Reply200(); };
}

// The targets that were asked for.
std::vector<std::string> TargetsOf(const HttpServer& server) {
  std::vector<std::string> targets;
  for (const std::string& request : server.requests()) {
    targets.push_back(std::vector<std::string>(absl::StrSplit(request, ' '))[1]);
  }
  return targets;
}

TEST(Traffic, IsWhatTheSettingsSay) {
  HttpServer server(Good());
  const Json config = ClosedLoop({{"url", "/loan?member=U-{n%2}"},
                                  {"method", "POST"},
                                  {"body", "a=1&b={n}"},
                                  {"headers", {"Accept: text/plain", "X-Who: me"}}});
  const LoadTrial trial = RunTrial(server.address(), config, {.samples = 3});
  EXPECT_EQ(trial.Error(), "");
  ASSERT_EQ(server.requests().size(), 3u);
  const std::string expected =
      absl::StrCat("POST /loan?member=U-1 HTTP/1.1\r\nHost: ", server.address(),
                   "\r\nUser-Agent: tare-load/0.1.0\r\nAccept: text/plain\r\nX-Who: me\r\n"
                   "Content-Length: 9\r\n\r\na=1&b={n}");
  EXPECT_EQ(server.requests()[1], expected);
  EXPECT_EQ(TargetsOf(server),
            (std::vector<std::string>{"/loan?member=U-0", "/loan?member=U-1", "/loan?member=U-0"}));
}

TEST(Traffic, SaysThatItIsContinuousAndEchoesEverySetting) {
  HttpServer server(Good());
  const LoadTrial trial = RunTrial(server.address(), OpenLoop(), {.samples = 3});
  EXPECT_EQ(trial.hello["continuous"], true);
  const Json config = trial.ready["arms"][0]["config"];
  for (const char* setting : {"url", "method", "body", "loop", "rate", "schedule", "connections",
                              "timeout", "wait", "errors_max", "lag_max", "work"}) {
    EXPECT_TRUE(config.contains(setting)) << setting;
  }
  EXPECT_EQ(config["loop"], "open");
  EXPECT_EQ(trial.evidence["digests"]["loop"], "open");
  const LoadTrial closed = RunTrial(server.address(), ClosedLoop(), {.samples = 3});
  EXPECT_EQ(closed.ready["arms"][0]["config"]["loop"], "closed");
  EXPECT_EQ(closed.evidence["digests"]["loop"], "closed");
}

TEST(Traffic, KeepsConnectionsAlive) {
  HttpServer server(Good());
  const LoadTrial trial = RunTrial(server.address(), ClosedLoop(), {.samples = 200});
  EXPECT_EQ(trial.Counter("connections_opened"), 1) << trial.Error();
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(server.requests().size(), 200u);
  const LoadTrial wider =
      RunTrial(server.address(), ClosedLoop({{"connections", 3}}), {.samples = 200});
  EXPECT_EQ(wider.Counter("connections_opened"), 3) << wider.Error();
}

TEST(Traffic, OpensAConnectionAnewWhenTheServerClosesIt) {
  Answer closing = {{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"},
                    absl::ZeroDuration(),
                    true};
  HttpServer server([&closing](int, const std::string&) { return closing; });
  const LoadTrial trial = RunTrial(server.address(), ClosedLoop(), {.samples = 20});
  EXPECT_EQ(trial.Counter("connections_opened"), 20) << trial.Error();
  // One that says nothing of it is noticed while nothing is asked.
  closing = {{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}, absl::ZeroDuration(), true};
  const LoadTrial unsaid = RunTrial(server.address(), OpenLoop({{"rate", "50/s"}}), {.samples = 5});
  EXPECT_EQ(unsaid.Counter("connections_opened"), 5) << unsaid.Error();
}

TEST(Traffic, TakesRepliesInAllTheirForms) {
  const Answer answers[] = {
      {{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"}},
      {{"HTTP/1.1 204 No Content\r\n\r\n"}},
      {{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"}},
      {{"HTTP/1.0 200 OK\r\n\r\nuntil the end"}, absl::ZeroDuration(), true},
      Reply200(std::string(1 << 20, 'x')),
  };
  HttpServer server(
      [&answers](int number, const std::string&) { return answers[number % std::size(answers)]; });
  const LoadTrial trial = RunTrial(server.address(), ClosedLoop(), {.samples = 15});
  EXPECT_EQ(trial.Error(), "");
  EXPECT_EQ(trial.evidence["records"], 15);
  // To HEAD the length is that of a body that does not come.
  HttpServer heads([](int, const std::string&) {
    return Answer{{"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"}};
  });
  EXPECT_EQ(RunTrial(heads.address(), ClosedLoop({{"method", "HEAD"}}), {.samples = 5}).Error(),
            "");
}

TEST(Traffic, SendsABodyThatNoSocketBufferHolds) {
  HttpServer server(Good());
  const std::string body(size_t{1} << 20, 'b');
  const LoadTrial trial =
      RunTrial(server.address(), ClosedLoop({{"url", "/"}, {"method", "PUT"}, {"body", body}}),
               {.samples = 5});
  EXPECT_EQ(trial.Error(), "");
  ASSERT_EQ(server.requests().size(), 5u);
  EXPECT_TRUE(absl::EndsWith(server.requests()[4], body));
}

TEST(Traffic, CountsTheWholeReplyIntoTheServiceTime) {
  HttpServer server([](int, const std::string&) {
    return Answer{{"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", "sl", "ow"},
                  absl::Milliseconds(10)};
  });
  const LoadTrial trial = RunTrial(server.address(), ClosedLoop(), {.samples = 5});
  for (const int64_t service : trial.Step("service")) EXPECT_GE(service, 30 * kMs);
}

TEST(Traffic, WaitsForAFreeConnectionAndSaysSo) {
  HttpServer server([](int, const std::string&) {
    return Answer{Reply200().pieces, absl::Milliseconds(20)};
  });
  // 40 requests in 200 ms, which take the one connection at least 800 ms.
  const LoadTrial trial = RunTrial(
      server.address(), OpenLoop({{"rate", "200/s"}, {"connections", 1}, {"lag_max", "200ms"}}),
      {.samples = 40});
  EXPECT_TRUE(absl::StartsWith(trial.Error(), "the schedule was not kept: ")) << trial.Error();
  EXPECT_TRUE(absl::StrContains(trial.Error(), "of 40 requests waited for one of 1 connections"))
      << trial.Error();
  EXPECT_TRUE(absl::EndsWith(trial.Error(), "| generator-behind"));
  EXPECT_EQ(server.connections(), 1);
  const std::vector<int64_t> lag = trial.Step("lag");
  const std::vector<int64_t> connect = trial.Step("connect");
  ASSERT_EQ(connect.size(), 40u);
  // Each waits at least 15 ms longer than the one before: 20 ms of service, due 5 ms later.
  for (const size_t i : {1, 11, 39}) {
    EXPECT_GE(lag[i] + connect[i], static_cast<int64_t>(i) * 15 * kMs);
  }
}

TEST(Traffic, HasStepsThatAddUpToTheLatency) {
  HttpServer server([](int number, const std::string&) {
    return number % 7 == 6 ? ReplyStatus(500) : Reply200();
  });
  const LoadTrial trial = RunTrial(
      server.address(), OpenLoop({{"timeout", "100ms"}, {"connections", 2}, {"errors_max", 100}}));
  const std::vector<int64_t> values = trial.Column("value_ns");
  ASSERT_EQ(values.size(), 100u) << trial.Error();
  for (size_t i = 0; i < 100; ++i) {
    int64_t sum = 0;
    for (const char* step : {"lag", "connect", "service"}) {
      EXPECT_GE(trial.Step(step)[i], 0) << step;
      sum += trial.Step(step)[i];
    }
    EXPECT_EQ(sum, values[i]);
  }
}

TEST(Traffic, StartsEachSampleAtItsIntendedTime) {
  HttpServer server(Good());
  const LoadTrial trial = RunTrial(server.address(), OpenLoop(), {.samples = 5});
  EXPECT_EQ(trial.Column("start_ns"),
            (std::vector<int64_t>{0, 500'000, 1'000'000, 1'500'000, 2'000'000}));
}

TEST(Traffic, FollowsTheSeed) {
  const auto run = [](uint64_t seed, std::vector<std::string>* targets) {
    HttpServer server(Good());
    const LoadTrial trial =
        RunTrial(server.address(),
                 OpenLoop({{"url", "/{random%1000}"}, {"schedule", "poisson"}, {"connections", 1}}),
                 {.samples = 50, .warmup = 10, .seed = seed});
    EXPECT_EQ(trial.Error(), "");
    *targets = TargetsOf(server);
    return std::pair(trial.Column("start_ns"), trial.evidence["checksum"].get<std::string>());
  };
  std::vector<std::string> first, again, other;
  const auto of_first = run(5, &first);
  EXPECT_EQ(run(5, &again), of_first);
  EXPECT_EQ(again, first);
  const auto of_other = run(6, &other);
  EXPECT_NE(of_other.first, of_first.first);
  EXPECT_NE(of_other.second, of_first.second);
  EXPECT_NE(other, first);
}

TEST(Traffic, HasAChecksumOfWhatIsAskedAndNotOfWhatIsAnswered) {
  HttpServer server(Good());
  HttpServer another([](int, const std::string&) { return Reply200("another version"); });
  const auto checksum = [](const HttpServer& asked, const Json& more) {
    const LoadTrial trial =
        RunTrial(asked.address(), ClosedLoop(more), {.samples = 6, .warmup = 2});
    EXPECT_EQ(trial.Error(), "");
    return trial.evidence.value("checksum", "");
  };
  const std::string plain = checksum(server, {{"url", "/{n%3}"}});
  EXPECT_EQ(plain.size(), 16u);
  EXPECT_EQ(checksum(another, {{"url", "/{n%3}"}}), plain);
  for (const Json& more : {Json({{"url", "/{n%4}"}}), Json({{"url", "/{n%3}"}, {"body", "b"}}),
                           Json({{"url", "/{n%3}"}, {"method", "POST"}}),
                           Json({{"url", "/{n%3}"}, {"headers", {"A: b"}}})}) {
    EXPECT_NE(checksum(server, more), plain) << more;
  }
}

TEST(Traffic, IsOfOneArmAProcess) {
  HttpServer server(Good());
  const Json services = {{{"name", "db"}, {"address", "127.0.0.1:9"}},
                         {{"name", "server"}, {"address", server.address()}}};
  EXPECT_EQ(RunTrial("", OpenLoop(),
                     {.samples = 3, .services = services, .arm = {{"uses", {"server", "db"}}}})
                .Error(),
            "");
  EXPECT_EQ(RunTrial("", OpenLoop(), {.samples = 3, .services = services}).Error(),
            "arm 'a': which of 2 services to load? | name one under 'uses' | ");
  EXPECT_EQ(RunTrial(server.address(), OpenLoop({{"speed", 9}}), {.samples = 3}).error["message"],
            "arm 'a': unknown config key 'speed'");
}

}  // namespace
}  // namespace tare::load
