// Logical replication through the proxy: both sides copy at once.

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

constexpr int kRows = 5000;

class Replication : public PostgresProxiedTest {
 protected:
  Replication() : PostgresProxiedTest({"wal_level=logical"}) {}
};

TEST_F(Replication, StreamsEveryChangeInOrder) {
  AskServer("create table changed (number int)");
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    ProxyProcess proxy = StartProxy(delay);
    const std::string changes = Path("changes");
    const std::vector<std::string> slot = {"-d", Through(proxy), "-S", "a_slot"};
    auto with_slot = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.end(), slot.begin(), slot.end());
      return arguments;
    };
    RunClient("pg_recvlogical", with_slot({"--create-slot", "-P", "test_decoding"}));
    AskServer(absl::StrCat("insert into changed select generate_series(1, ", kRows, ")"));
    const std::string end = AskServer("select pg_current_wal_insert_lsn()");
    RunClient("pg_recvlogical", with_slot({"--start", "-n", "--endpos", end, "-f", changes}));
    RunClient("pg_recvlogical", with_slot({"--drop-slot"}));
    const std::string changed = ReadFile(changes).value();
    int next = 1;
    for (absl::string_view line : absl::StrSplit(changed, '\n')) {
      next += line == absl::StrCat("table public.changed: INSERT: number[integer]:", next) ? 1 : 0;
    }
    EXPECT_EQ(next, kRows + 1);
    std::filesystem::remove(changes);
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    EXPECT_EQ(evidence.total().postgres().stopped(), "");
    EXPECT_GT(evidence.total().postgres().copy_bytes_out(), static_cast<int64_t>(changed.size()));
    EXPECT_GT(evidence.total().postgres().copy_bytes_in(), 0);
  }
}

}  // namespace
}  // namespace tare
