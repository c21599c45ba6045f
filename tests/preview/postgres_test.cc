// tare-preview on a real PostgreSQL.

#include <pqxx/pqxx>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/postgres_cluster.h"
#include "tests/preview/counting_relay.h"
#include "tests/preview/trial.h"
#include "workloads/preview/postgres_store.h"

namespace tare::preview {
namespace {

class PostgresPreview : public testing::Test {
 protected:
  static void SetUpTestSuite() { cluster_ = new PostgresCluster; }
  static void TearDownTestSuite() {
    delete cluster_;
    cluster_ = nullptr;
  }

  static PostgresCluster* cluster_;
};
PostgresCluster* PostgresPreview::cluster_ = nullptr;

TEST_F(PostgresPreview, GivesTheResultOfTheCopyAndLeavesTheTableAsItWas) {
  // Twice, as two processes of one run do, one after the other.
  for (int process = 0; process < 2; ++process) {
    Preview preview;
    sdk::TrialSetup setup =
        MakeSetup({{{"strategy", "copy"}}, {{"strategy", "rollback"}}}, {cluster_->address()});
    const auto failure = preview.Setup(setup);
    ASSERT_FALSE(failure.has_value()) << failure->message << failure->detail;
    sdk::Block block(40, 4);
    ASSERT_FALSE(block.Run(preview, MakeRequest(2, 20)).has_value());
    std::vector<sdk::Evidence> evidence(2);
    const auto changed = preview.Collect(evidence);
    ASSERT_FALSE(changed.has_value()) << changed->message;
    EXPECT_EQ(evidence[0].checksum, evidence[1].checksum);
    EXPECT_EQ(evidence[1].records, 20 * 162);
    EXPECT_EQ(evidence[0].counters[0].second, 0);
    EXPECT_EQ(evidence[1].counters[0], (std::pair<std::string, int64_t>("client_writes", 20 * 3)));
    EXPECT_EQ(evidence[1].counters[1].second, 20 * 162);
  }
}

TEST_F(PostgresPreview, WritesExactlyThreeTimesAPreview) {
  CountingRelay relay(cluster_->socket_path());
  const Model model(12, 40, 42);
  std::unique_ptr<FieldStore> store =
      MakePostgresStore(absl::StrCat("host=127.0.0.1 port=", relay.port(),
                                     " user=tare dbname=postgres sslmode=disable"),
                        "counted");
  const auto failure = store->Fill(model.initial());
  ASSERT_FALSE(failure.has_value()) << failure->detail;
  FieldMap fields;
  for (const Drag& drag : model.drags()) {
    const int64_t before = relay.client_writes();
    ASSERT_FALSE(store->Update(drag).has_value());
    EXPECT_EQ(relay.client_writes() - before, 1);
    ASSERT_FALSE(store->ReadBack(fields).has_value());
    EXPECT_EQ(relay.client_writes() - before, 2);
    FieldMap expected = model.initial();
    for (const auto& [name, value] : drag) expected[name] = value;
    EXPECT_EQ(fields, expected);
    ASSERT_FALSE(store->Rollback().has_value());
    EXPECT_EQ(relay.client_writes() - before, 3);
  }
  EXPECT_EQ(store->client_writes(), 3 * kDrags);
}

TEST_F(PostgresPreview, OfEachArmGoesByTheServiceThatItUses) {
  CountingRelay relay(cluster_->socket_path());
  const sdk::ConfigEntries rollback = {{"strategy", "rollback"}};
  {
    Preview preview;
    sdk::TrialSetup setup = MakeSetup({rollback, rollback, rollback});
    setup.services = {{"db", cluster_->address()},
                      {"wire", absl::StrCat("host=127.0.0.1 port=", relay.port(),
                                            " user=tare dbname=postgres sslmode=disable")}};
    setup.arms[0].uses = {"db", "wire"};
    setup.arms[1].uses = {"wire"};
    const auto failure = preview.Setup(setup);
    ASSERT_FALSE(failure.has_value()) << failure->message << failure->detail;
    const int64_t before = relay.client_writes();
    sdk::Block block(60, 4);
    ASSERT_FALSE(block.Run(preview, MakeRequest(3, 20)).has_value());
    EXPECT_EQ(relay.client_writes() - before, 20 * 3);
    // Each service has a table of its own, so what one arm leaves behind is not in the other's way.
    pqxx::connection database(cluster_->address());
    pqxx::nontransaction look(database);
    const pqxx::result tables = look.exec(
        "SELECT schemaname FROM pg_tables WHERE tablename = 'model_field' AND "
        "schemaname LIKE 'tare_preview_%' ORDER BY 1");
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_STREQ(tables[0][0].c_str(), "tare_preview_1");
    EXPECT_STREQ(tables[1][0].c_str(), "tare_preview_2");
    std::vector<sdk::Evidence> evidence(3);
    ASSERT_FALSE(preview.Collect(evidence).has_value());
    EXPECT_EQ(evidence[0].checksum, evidence[1].checksum);
  }  // the client disconnects before the relay ends
}

TEST_F(PostgresPreview, NeedsTheAddressOfWhatItUses) {
  Preview preview;
  sdk::TrialSetup setup = MakeSetup({{{"strategy", "rollback"}}}, {cluster_->address()});
  setup.arms[0].uses = {"wire"};
  const auto failure = preview.Setup(setup);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->message, "arm 'a': backend 'postgres' needs a postgres service");
}

TEST_F(PostgresPreview, PassesOnWhatTheServerSays) {
  Preview preview;
  sdk::TrialSetup setup =
      MakeSetup({{{"strategy", "rollback"}}}, {cluster_->address() + " options=-cfoo=bar"});
  const auto failure = preview.Setup(setup);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->message, "arm 'a': postgres: cannot make table 'model_field'");
  EXPECT_TRUE(absl::StrContains(failure->detail, "unrecognized configuration parameter"))
      << failure->detail;
}

}  // namespace
}  // namespace tare::preview
