// psql through the proxy: encrypted or not, interrupted, and moving bulk data.

#include <signal.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

class Psql : public PostgresProxiedTest {};

TEST_F(Psql, AsksOneQueryInTheClear) {
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    ProxyProcess proxy = StartProxy(delay);
    EXPECT_EQ(Ask(Through(proxy), "select 6 * 7"), "42");
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    EXPECT_EQ(evidence.connections_accepted(), 1);
    // Start-up, the two steps of SCRAM, the query.
    EXPECT_EQ(evidence.total().turns(), 4);
    EXPECT_EQ(evidence.total().postgres().queries(), 1);
    EXPECT_EQ(evidence.total().postgres().round_trips(), 1);
    EXPECT_EQ(evidence.total().postgres().stopped(), "");
  }
}

// Channel binding fails if the server's certificate is not the one that the client saw.
TEST_F(Psql, SpeaksTlsWithTheServerItself) {
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    ProxyProcess proxy = StartProxy(delay);
    EXPECT_EQ(Ask(Through(proxy) + " sslmode=require channel_binding=require",
                  "select ssl, version from pg_stat_ssl where pid = pg_backend_pid()"),
              "t|TLSv1.3");
    const v1::ProxyEvidence evidence = proxy.Stop();
    EXPECT_EQ(evidence.connections_accepted(), 1);
    EXPECT_GE(evidence.total().turns(), 5);
    EXPECT_EQ(evidence.total().postgres().stopped(), "TLS");
    EXPECT_EQ(evidence.total().postgres().queries(), 0);
  }
}

TEST_F(Psql, CancelsAStatementOnCtrlC) {
  const std::string asleep =
      "select count(*) from pg_stat_activity where query = 'select pg_sleep(30)'"
      " and wait_event = 'PgSleep'";
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    ProxyProcess proxy = StartProxy(delay);
    Running psql = StartClient("psql", {"-X", "-d", Through(proxy), "-c", "select pg_sleep(30)"});
    Await("the server to sleep", [&] { return AskServer(asleep) == "1"; });
    kill(psql.pid(), SIGINT);
    const Outcome outcome = psql.Wait(absl::Seconds(20));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_TRUE(absl::StrContains(outcome.err, "canceling statement due to user request"))
        << outcome.err;
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    // The request to cancel is a connection of its own.
    EXPECT_EQ(evidence.connections_accepted(), 2);
    EXPECT_EQ(evidence.total().postgres().stopped(), "cancel request");
    EXPECT_EQ(evidence.total().postgres().errors(), 1);
  }
}

TEST_F(Psql, CopiesAHundredMegabytesInAndOut) {
  const std::string lines = MakeLines(100'000);
  const std::string in = Write("in.tsv", lines);
  const std::string out = Path("out.tsv");
  AskServer("create unlogged table copied (number int, letters text)");
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    ProxyProcess proxy = StartProxy(delay);
    EXPECT_EQ(Ask(Through(proxy), "truncate copied"), "");
    EXPECT_EQ(Ask(Through(proxy), absl::StrCat("\\copy copied from '", in, "'")), "");
    EXPECT_EQ(Ask(Through(proxy), absl::StrCat("\\copy copied to '", out, "'")), "");
    EXPECT_TRUE(ReadFile(out, int64_t{1} << 30).value() == lines);
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    EXPECT_GT(evidence.total().to_server().bytes(), static_cast<int64_t>(lines.size()));
    EXPECT_GT(evidence.total().to_client().bytes(), static_cast<int64_t>(lines.size()));
    EXPECT_EQ(evidence.total().postgres().copy_bytes_in(), static_cast<int64_t>(lines.size()));
    EXPECT_EQ(evidence.total().postgres().copy_bytes_out(), static_cast<int64_t>(lines.size()));
  }
}

}  // namespace
}  // namespace tare
