// Goal: a release is gated on a real server under load, as examples/loan-gate.yaml does it; runs
// end early, go on and are confirmed; and whatever a server does wrong is said.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class Gate : public E2eTest {
 protected:
  // Both sides are tare-loan, unless `server` says otherwise.
  std::string WithServers(const std::string& baseline, const std::string& candidate,
                          const std::string& rest) {
    return absl::StrCat(
        "name: gate\nservices:\n  a: { server: ", baseline, " }\n  b: { server: ", candidate,
        " }\n"
        "workload: { command: tare-load, config: { url: \"/loan?member=U-{n%500}\", "
        "rate: 500/s, work: /metrics, lag_max: 1s } }\n"
        "arms: { old: { uses: a }, new: { uses: b } }\ngates: off\n",
        rest);
  }
  static std::string Loan(const std::string& version) {
    return absl::StrCat("{ command: [tare-loan, --port, '{port}', --loans, '8000', --version, ",
                        version, "], ready: { http: /health } }");
  }
  // Two commands of tare-spin, of which the second takes twice as long.
  static std::string Spins(const std::string& rest) {
    return absl::StrCat(
        "name: spins\nworkload: { command: tare-spin, config: { work_us: 100 } }\n"
        "arms: { one: {}, two: { config: { work_us: 200 } } }\ngates: off\n"
        "threshold: { relative: 20% }\n",
        rest);
  }
  int64_t CountRuns() {
    const Outcome list = Tare({"list", "--json"});
    return static_cast<int64_t>(nlohmann::json::parse(list.out)["runs"].size());
  }
};

TEST_F(Gate, CountsTheQueriesOfARequestOfBothVersions) {
  const Outcome run =
      Tare({"run",
            Write("x.yaml", WithServers(Loan("a"), Loan("b"),
                                        "design: { pairing: rounds, rounds: 3, sets: 150, warmup: "
                                        "50 }\nmetrics: [p50, server-cpu, peak-memory]\n"
                                        "threshold: { relative: 5%, absolute: 0.1ms }\n")),
            "--json", Path("r.json")});
  EXPECT_THAT(run.code, AnyOf(0, 1, 2, 3)) << run.out << run.err;
  const nlohmann::json report = ReadJson("r.json");
  EXPECT_EQ(report["refusals"].size(), 0u) << report["refusals"].dump(1);
  EXPECT_EQ(report["comparisons"].size(), 3u);
  EXPECT_THAT(report["programs"].dump(), HasSubstr("tare-loan"));
  // An arm's queries for one request.
  std::map<std::string, double> queries;
  for (const nlohmann::json& count : report["work"]) {
    if (count["name"] == "queries") queries[count["arm"]] = count["per_operation"];
  }
  EXPECT_THAT(queries,
              testing::UnorderedElementsAre(testing::Pair("old", 2), testing::Pair("new", 3),
                                            testing::Pair("control", 2)));
  EXPECT_THAT(run.out, HasSubstr("queries"));
}

TEST_F(Gate, ReachesAServerThroughAProxy) {
  const Outcome run =
      Tare({"run",
            Write("x.yaml",
                  absl::StrCat("name: far\nservices:\n  api: { server: ", Loan("a"),
                               " }\n  wire: { proxy: { to: api, delay: 3ms } }\n"
                               "workload: { command: tare-load, config: { url: \"/loan?member=U-"
                               "{n%500}\", rate: 200/s, work: /metrics, lag_max: 1s } }\n"
                               "arms: { near: { uses: api }, far: { uses: wire } }\ngates: off\n"
                               "design: { pairing: rounds, rounds: 3, sets: 60, warmup: 20 }\n"
                               "metrics: [p50]\nthreshold: { absolute: 1ms }\n")),
            "--json", Path("r.json")});
  EXPECT_THAT(run.code, AnyOf(2, 3)) << run.out << run.err;  // 3 rounds decide nothing
  const nlohmann::json report = ReadJson("r.json");
  EXPECT_EQ(report["refusals"].size(), 0u) << report["refusals"].dump(1);
  EXPECT_GE(report["comparisons"][0]["estimate"]["value_ns"], 2'000'000);
  ASSERT_EQ(report["proxies"].size(), 1u);
  EXPECT_GE(report["proxies"][0]["releases"], 3 * 80);
  for (const nlohmann::json& count : report["work"]) {
    if (count["name"] != "queries") continue;
    EXPECT_EQ(count["per_operation"], 2) << count["arm"];
  }
}

TEST_F(Gate, EndsAtTheFirstLookThatDecides) {
  const Outcome run = Tare({"run",
                            Write("x.yaml", Spins("design: { pairing: rounds, sets: 20 }\n"
                                                  "stop: { max_rounds: 10 }\n")),
                            "--json", Path("r.json")});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("decided at look 1 of 3 after 4 rounds: the run ends here"));
  EXPECT_EQ(ReadJson("r.json")["rounds_counted"], 4);
  EXPECT_EQ(CountedTrials(), 4 * 3);
  // What is stored says the same for ever, and there is nothing to go on with.
  EXPECT_EQ(Tare({"show", "last"}).code, 1);
  EXPECT_EQ(Tare({"run", "--resume", "last"}).code, 64);
}

TEST_F(Gate, GoesOnWhenItIsOpenEnded) {
  const std::string file =
      Write("x.yaml", absl::StrReplaceAll(Spins("design: { pairing: rounds, rounds: 3, sets: 20 }\n"
                                                "stop: { open_ended: on, max_rounds: 40 }\n"),
                                          {{"work_us: 200", "work_us: 100"}}));
  const Outcome run = Tare({"run", file});
  EXPECT_EQ(run.code, 2) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("go on with: tare run --resume"));
  EXPECT_EQ(CountedTrials(), 3 * 3);
  const Outcome more = Tare({"run", "--resume", "last"});
  EXPECT_THAT(more.code, AnyOf(0, 2)) << more.out << more.err;
  EXPECT_GT(CountedTrials(), 3 * 3);
  EXPECT_LE(CountedTrials(), 6 * 3);
}

TEST_F(Gate, GoesOnOnlyWithTheServersThatItBeganWith) {
  const std::string server = Path("server");
  std::filesystem::copy(std::string(getenv("TARE_BIN")) + "/tare-loan", server);
  const std::string own = absl::StrReplaceAll(Loan("a"), {{"tare-loan", server}});
  const Outcome run =
      Tare({"run", Write("x.yaml",
                         WithServers(own, own,
                                     "design: { pairing: rounds, rounds: 1, sets: 50 }\n"
                                     "threshold: { relative: 5% }\nstop: { open_ended: on }\n"))});
  EXPECT_THAT(run.err, HasSubstr("go on with: tare run --resume")) << run.out << run.err;
  std::ofstream(server, std::ios::app) << "another build";
  const Outcome more = Tare({"run", "--resume", "last"});
  EXPECT_EQ(more.code, 3) << more.out << more.err;
  EXPECT_THAT(more.out, HasSubstr("changed since the run began"));
}

TEST_F(Gate, MeasuresARegressionAgain) {
  const Outcome run =
      Tare({"run",
            Write("x.yaml", Spins("design: { pairing: rounds, rounds: 5, sets: 20 }\n"
                                  "confirm: on\n")),
            "--json", Path("r.json")});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("measured again"));
  EXPECT_THAT(run.out, HasSubstr("confirmed"));
  EXPECT_EQ(CountRuns(), 2);
}

TEST_F(Gate, ComparesProgramsInLockstep) {
  const Outcome run = Tare(
      {"run",
       Write("x.yaml",
             "name: x\nworkload: { command: tare-spin, config: { work_us: 50 } }\n"
             "arms: { a: , b: { command: [tare-spin], config: { work_us: 100 } } }\ngates: off\n"
             "design: { pairing: lockstep, processes: 5, sets: 60, warmup: 10 }\n"
             "checks: { known_delay: off }\nthreshold: { relative: 5% }\n"),
       "--json", Path("r.json")});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  const nlohmann::json comparison = ReadJson("r.json")["comparisons"][0];
  EXPECT_EQ(comparison["processes"], 5);
  EXPECT_EQ(comparison["sets"], 300);
  EXPECT_NE(comparison["placement"]["text"], "no placement is recorded");
  // Each process measures for itself how much work 50 us are.
  EXPECT_NEAR(comparison["ratio"]["value"].get<double>(), 2, 0.5);
}

struct BadServer {
  const char* name;
  const char* server;
  int code;
  const char* said;
};

void PrintTo(const BadServer& server, std::ostream* out) { *out << server.name; }

class BadServerGate : public Gate, public testing::WithParamInterface<BadServer> {};

TEST_P(BadServerGate, IsSaidAndLeavesNothing) {
  const Outcome run = Tare(
      {"run", Write("x.yaml", WithServers(GetParam().server, GetParam().server,
                                          "design: { pairing: rounds, rounds: 3, sets: 50 }\n"))});
  EXPECT_EQ(run.code, GetParam().code) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr(GetParam().said));
  EXPECT_EQ(Leftovers(), "");
}

// Braces would be places to fill.
constexpr char kPython[] =
    "{ command: [python3, -c, 'import http.server, sys; "
    "H = type(\"H\", (http.server.BaseHTTPRequestHandler,), dict(protocol_version=\"HTTP/1.1\", "
    "log_message=lambda *a: None, do_GET=lambda s: (s.send_response(500), "
    "s.send_header(\"Content-Length\", \"0\"), s.end_headers()))); "
    "http.server.ThreadingHTTPServer((\"127.0.0.1\", int(sys.argv[1])), H).serve_forever()', "
    "'{port}'] }";

INSTANTIATE_TEST_SUITE_P(
    Every, BadServerGate,
    testing::Values(BadServer{"Absent", "{ command: [no-such-server, '{port}'] }", 64,
                              "program 'no-such-server' does not exist"},
                    BadServer{"DiesAtOnce",
                              "{ command: [sh, -c, 'echo no disk >&2; exit 7', '{port}'] }", 3,
                              "exited with code 7"},
                    BadServer{"NeverReady",
                              "{ command: [sleep, '60', '{port}'], ready: { timeout: 300ms } }", 3,
                              ""},
                    BadServer{"AnswersWith500", kPython, 3, "500"}),
    [](const testing::TestParamInfo<BadServer>& server) { return std::string(server.param.name); });

TEST_F(Gate, AServerThatDiesInTheMiddleIsItsOwnFault) {
  Running run =
      Start("tare", {"run", Write("x.yaml", WithServers(Loan("a"), Loan("a"),
                                                        "design: { pairing: rounds, rounds: 5, "
                                                        "sets: 1500 }\n"))});
  kill(AwaitProcess("tare-loan --port"), SIGKILL);
  const Outcome outcome = run.Wait();
  EXPECT_EQ(outcome.code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("signal 9"));
  EXPECT_EQ(Leftovers(), "");
}

TEST_F(Gate, AScheduleThatCannotBeKeptIsTheGeneratorsFault) {
  const std::string yaml = absl::StrReplaceAll(
      WithServers(Loan("a"), Loan("a"), "design: { pairing: rounds, rounds: 3, sets: 3000 }\n"),
      {{"rate: 500/s", "rate: 1000000/s"}, {"lag_max: 1s", "lag_max: 1us"}});
  const Outcome run = Tare({"run", Write("x.yaml", yaml), "--json", Path("r.json")});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("generator-behind"));
}

TEST_F(Gate, AnotherHostThanTheArmsIsRefusedBeforeAnythingIsSent) {
  const std::string yaml = absl::StrReplaceAll(
      WithServers(Loan("a"), Loan("a"), "design: { pairing: rounds, rounds: 3, sets: 50 }\n"),
      {{"url: \"/loan", "url: \"http://127.0.0.2:80/loan"}});
  const Outcome run = Tare({"run", Write("x.yaml", yaml)});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("127.0.0.2"));
}

}  // namespace
}  // namespace tare
