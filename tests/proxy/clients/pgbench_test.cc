// pgbench through the proxy: what it did is consistent, and the proxy counts its round trips.

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

using testing::ElementsAre;

constexpr int kClients = 2;
// Enough for each client's start to be behind it.
constexpr int kFewTransactions = 5;
constexpr int kMoreTransactions = 25;

class Pgbench : public PostgresProxiedTest {
 protected:
  // Runs `transactions` of each client; what the proxy saw.
  v1::ProxyEvidence Bench(const std::string& mode, int transactions, absl::Duration delay,
                          const std::vector<std::string>& arguments) {
    ProxyProcess proxy = StartProxy(delay);
    std::vector<std::string> all = {
        "-n", "-M", mode, "-c", absl::StrCat(kClients), "-t", absl::StrCat(transactions)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.push_back(Through(proxy));
    const std::string said = RunClient("pgbench", all);
    const int total = kClients * transactions;
    EXPECT_TRUE(absl::StrContains(said, absl::StrCat("actually processed: ", total, "/", total)))
        << said;
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    return evidence;
  }

  // What a transaction takes, whatever the clients do before the first one: turns, round trips as
  // PostgreSQL's messages tell them, Query messages, Execute messages.
  std::vector<double> Count(const std::string& mode, absl::Duration delay,
                            const std::vector<std::string>& arguments) {
    const v1::ProxyTraffic few = Bench(mode, kFewTransactions, delay, arguments).total();
    const v1::ProxyTraffic more = Bench(mode, kMoreTransactions, delay, arguments).total();
    EXPECT_EQ(more.postgres().stopped(), "");
    auto each = [](int64_t all, int64_t before) {
      return static_cast<double>(all - before) /
             (kClients * (kMoreTransactions - kFewTransactions));
    };
    return {each(more.turns(), few.turns()),
            each(more.postgres().round_trips(), few.postgres().round_trips()),
            each(more.postgres().queries(), few.postgres().queries()),
            each(more.postgres().executes(), few.postgres().executes())};
  }
};

TEST_F(Pgbench, TakesARoundTripForEachOfTheSevenStatements) {
  ProxyProcess proxy = StartProxy(absl::ZeroDuration());
  RunClient("pgbench", {"-i", "-q", Through(proxy)});
  ExpectIntact(proxy.Stop(), absl::ZeroDuration());
  for (const absl::Duration delay : kDelays) {
    for (const std::string mode : {"simple", "extended", "prepared"}) {
      SCOPED_TRACE(absl::StrCat(mode, " ", absl::FormatDuration(delay)));
      EXPECT_THAT(Count(mode, delay, {}),
                  mode == "simple" ? ElementsAre(7, 7, 7, 0) : ElementsAre(7, 7, 0, 7));
    }
  }
  EXPECT_EQ(AskServer("select (select sum(abalance) from pgbench_accounts) = sum(delta), count(*)"
                      " from pgbench_history"),
            absl::StrCat("t|", 2 * 3 * kClients * (kFewTransactions + kMoreTransactions)));
}

TEST_F(Pgbench, TakesOneRoundTripForAPipeline) {
  const std::string script = Write("pipeline.sql",
                                   "\\startpipeline\n"
                                   "select 1;\nselect 2;\nselect 3;\nselect 4;\nselect 5;\n"
                                   "\\endpipeline\n");
  for (const absl::Duration delay : kDelays) {
    for (const std::string mode : {"extended", "prepared"}) {
      SCOPED_TRACE(absl::StrCat(mode, " ", absl::FormatDuration(delay)));
      EXPECT_THAT(Count(mode, delay, {"-f", script}), ElementsAre(1, 1, 0, 5));
    }
  }
}

}  // namespace
}  // namespace tare
