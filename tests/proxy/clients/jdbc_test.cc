// pgjdbc through the proxy. A Java runtime compiles a single source file by itself.

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

class Jdbc : public PostgresProxiedTest {};

TEST_F(Jdbc, PreparesFetchesCopiesAndCancels) {
  ProxyProcess near = StartProxy(kDelays[0]);
  ProxyProcess far = StartProxy(kDelays[1]);
  auto url = [](const ProxyProcess& proxy) {
    return absl::StrCat("jdbc:postgresql://127.0.0.1:", proxy.port(),
                        "/postgres?sslmode=disable&user=", PostgresCluster::kUser,
                        "&password=", PostgresCluster::kPassword);
  };
  const Outcome java =
      Start("/usr/bin/java",
            {"-XX:TieredStopAtLevel=1", "-cp", "/usr/share/java/postgresql.jar",
             absl::StrCat(getenv("TARE_SOURCE"), "/tests/proxy/clients/JdbcClient.java"), url(near),
             url(far)})
          .Wait();
  EXPECT_EQ(java.code, 0) << java.err;
  const std::string said = "prepared 190\nfetched 4498500\ncopied true\ncancelled true\n";
  EXPECT_EQ(java.out, said + said);
  const v1::ProxyEvidence near_evidence = near.Stop();
  const v1::ProxyEvidence far_evidence = far.Stop();
  ExpectIntact(near_evidence, kDelays[0]);
  ExpectIntact(far_evidence, kDelays[1]);
  EXPECT_EQ(near_evidence.connections_accepted(), 2);
  EXPECT_EQ(near_evidence.total().postgres().stopped(), "cancel request");
  EXPECT_EQ(near_evidence.total().postgres().errors(), 1);
  // The same client asks in the same way, wherever the server is.
  EXPECT_EQ(near_evidence.total().turns(), far_evidence.total().turns());
  EXPECT_EQ(near_evidence.total().postgres().round_trips(),
            far_evidence.total().postgres().round_trips());
}

}  // namespace
}  // namespace tare
