// A real private PostgreSQL behind the real tare-proxy.

#include "agent/services/postgres.h"
#include "agent/services/postgres_session.h"
#include "agent/services/proxy_control.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

constexpr int kQueries = 10;
constexpr int64_t kDelayNs = 2'000'000;

class ProxiedPostgres : public testing::Test {
 protected:
  void SetUp() override {
    UseBuiltPrograms();
    v1::Service server;
    server.set_name("db");
    server.mutable_postgres();
    server_ = StartService(server, {.directory = scratch_.path(), .cpus = {}}).value();
    proxy_ = StartInFrontOf(*server_);
  }

  std::unique_ptr<Service> StartInFrontOf(const Service& server) {
    v1::Service proxy;
    proxy.set_name("wire");
    proxy.mutable_proxy()->set_to("db");
    proxy.mutable_proxy()->set_delay_ns(kDelayNs);
    return StartService(proxy, {.directory = scratch_.path(), .cpus = {}, .behind = &server})
        .value();
  }

  ScratchDirectory scratch_;
  std::unique_ptr<Service> server_;
  std::unique_ptr<Service> proxy_;
};

TEST_F(ProxiedPostgres, IsReachedCountedAndDelayed) {
  auto session = OpenPostgres(proxy_->address(), proxy_->secrets()).value();
  // The server's own processes serve, whoever they talk to.
  EXPECT_EQ(server_->ServingPids().size(), 1u);
  const v1::ProxyCounters before = proxy_->proxy()->Counters().value();
  for (int i = 0; i < kQueries; ++i) ASSERT_TRUE(session->Query("SELECT 1").ok());
  const v1::ProxyCounters after = proxy_->proxy()->Counters().value();
  EXPECT_EQ(after.turns() - before.turns(), kQueries);
  EXPECT_EQ(after.client_writes() - before.client_writes(), kQueries);
  EXPECT_EQ(after.postgres_round_trips() - before.postgres_round_trips(), kQueries);
  EXPECT_EQ(after.connections_accepted(), 1);
  session.reset();
  const v1::ProxyEvidence evidence = proxy_->proxy()->Evidence().value();
  EXPECT_GE(evidence.total().to_client().asked().count(), kQueries);
  EXPECT_EQ(evidence.total().to_client().asked().maximum_ns(), kDelayNs);
  EXPECT_EQ(evidence.total().to_server().asked().maximum_ns(), 0);
}

TEST_F(ProxiedPostgres, OfAnotherOwnerKeepsPasswordAndPlace) {
  v1::Service existing;
  existing.set_name("db");
  existing.mutable_postgres()->set_dsn(server_->address());
  auto server = StartService(existing, {.directory = scratch_.path(), .cpus = {}}).value();
  auto proxy = StartInFrontOf(*server);
  auto session = OpenPostgres(proxy->address(), proxy->secrets());
  ASSERT_TRUE(session.ok()) << FormatError(session.status());
  EXPECT_EQ((*session)->Query("SELECT current_user").value()[0][0], "tare");
  const v1::ServiceRecord record = proxy->Describe().value();
  for (const std::string& secret : proxy->secrets()) {
    EXPECT_THAT(record.ShortDebugString(), testing::Not(testing::HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace tare::agent
