// pgbench through the proxy: what it did is consistent, and the proxy counts its round trips.

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

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

  // How many a transaction takes, whatever the clients do before the first one.
  double RoundTrips(const std::string& mode, absl::Duration delay,
                    const std::vector<std::string>& arguments) {
    const v1::ProxyEvidence few = Bench(mode, kFewTransactions, delay, arguments);
    const v1::ProxyEvidence more = Bench(mode, kMoreTransactions, delay, arguments);
    return static_cast<double>(more.total().turns() - few.total().turns()) /
           (kClients * (kMoreTransactions - kFewTransactions));
  }
};

TEST_F(Pgbench, TakesARoundTripForEachOfTheSevenStatements) {
  ProxyProcess proxy = StartProxy(absl::ZeroDuration());
  RunClient("pgbench", {"-i", "-q", Through(proxy)});
  ExpectIntact(proxy.Stop(), absl::ZeroDuration());
  for (const absl::Duration delay : kDelays) {
    for (const std::string mode : {"simple", "extended", "prepared"}) {
      SCOPED_TRACE(absl::StrCat(mode, " ", absl::FormatDuration(delay)));
      EXPECT_EQ(RoundTrips(mode, delay, {}), 7);
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
      EXPECT_EQ(RoundTrips(mode, delay, {"-f", script}), 1);
    }
  }
}

}  // namespace
}  // namespace tare
