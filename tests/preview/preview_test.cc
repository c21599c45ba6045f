#include "workloads/preview/preview.h"

#include <sqlite3.h>
#include <unistd.h>

#include "gtest/gtest.h"
#include "tests/preview/trial.h"
#include "workloads/preview/sqlite_store.h"

namespace tare::preview {
namespace {

TEST(Model, FollowsFromPlansAndSeedToTheBit) {
  Model model(60, 40, 7);
  EXPECT_EQ(model.initial().size(), size_t{2 + 4 * 40});
  EXPECT_EQ(model.initial(), Model(60, 40, 7).initial());
  EXPECT_NE(model.initial(), Model(60, 40, 8).initial());
  EXPECT_EQ(model.Project(model.initial()), Model(60, 40, 7).Project(model.initial()));
}

TEST(Model, FeelsEveryFieldAndEveryMonth) {
  Model model(12, 3, 7);
  const uint64_t result = model.Project(model.initial());
  for (const auto& [name, value] : model.initial()) {
    FieldMap fields = model.initial();
    fields[name] = value * 1.000001;
    EXPECT_NE(model.Project(fields), result) << name;
  }
  EXPECT_NE(Model(13, 3, 7).Project(model.initial()), result);
  FieldMap fields = model.initial();
  fields.erase("plan_1_churn");
  EXPECT_NE(model.Project(fields), result);
}

TEST(Model, DragsOverrideFourFieldsOfOnePlan) {
  const Model model(12, 3, 7);
  for (const Drag& drag : model.drags()) {
    const std::string plan = drag[0].first.substr(0, drag[0].first.rfind('_'));
    EXPECT_EQ(drag[0].first, plan + "_price");
    EXPECT_EQ(drag[1].first, plan + "_growth");
    EXPECT_EQ(drag[2].first, plan + "_churn");
    EXPECT_EQ(drag[3].first, plan + "_subscribers");
    for (const auto& [name, value] : drag) EXPECT_NE(value, model.initial().at(name));
  }
}

// Runs copy and rollback on sqlite and checks all that both promise.
void ExpectSameWork(const std::string& path) {
  Preview preview;
  const sdk::ConfigEntries copy = {
      {"strategy", "copy"}, {"backend", "sqlite"}, {"plans", int64_t{5}}};
  const sdk::ConfigEntries rollback = {{"strategy", "rollback"},
                                       {"backend", "sqlite"},
                                       {"plans", int64_t{5}},
                                       {"sqlite_path", path}};
  sdk::TrialSetup setup = MakeSetup({copy, rollback, rollback});
  const auto failure = preview.Setup(setup);
  ASSERT_FALSE(failure.has_value()) << failure->message << failure->detail;
  sdk::Block block(60, static_cast<int>(setup.steps.size()));
  ASSERT_FALSE(block.Run(preview, MakeRequest(3, 20)).has_value());
  std::vector<sdk::Evidence> evidence(3);
  ASSERT_FALSE(preview.Collect(evidence).has_value());
  EXPECT_EQ(evidence[0].checksum, evidence[1].checksum);
  EXPECT_EQ(evidence[0].checksum, evidence[2].checksum);
  EXPECT_EQ(evidence[0].records, 20 * 22);
  EXPECT_EQ(evidence[1].records, 20 * 22);
  EXPECT_EQ(evidence[0].counters[1], (std::pair<std::string, int64_t>("rows", 0)));
  EXPECT_EQ(evidence[1].counters[1], (std::pair<std::string, int64_t>("rows", 20 * 22)));
  for (size_t i = 0; i < 60; ++i) {
    int64_t sum_ns = 0;
    for (int step = 0; step < 4; ++step) sum_ns += block.step_ns(i, step);
    EXPECT_LE(sum_ns, block.sample(i).value_ns);
    EXPECT_GT(block.step_ns(i, 2), 0);
    EXPECT_EQ(block.step_ns(i, 3) > 0, i % 3 != 0);
  }
}

TEST(Preview, GivesTheSameResultInMemoryAndInAnSqliteDatabaseInMemory) { ExpectSameWork(""); }

TEST(Preview, GivesTheSameResultInAnSqliteFileThatAnotherProcessLeft) {
  char path[] = "/tmp/tare-preview-test-XXXXXX";
  close(mkstemp(path));
  ExpectSameWork(path);
  ExpectSameWork(path);
  unlink(path);
}

TEST(Preview, NoticesThatTheTableWasChanged) {
  char path[] = "/tmp/tare-preview-test-XXXXXX";
  close(mkstemp(path));
  Preview preview;
  sdk::TrialSetup setup =
      MakeSetup({{{"strategy", "rollback"}, {"backend", "sqlite"}, {"sqlite_path", path}}});
  ASSERT_FALSE(preview.Setup(setup).has_value());
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path, &other), SQLITE_OK);
  const char* change = "UPDATE model_field SET value = value * 2 WHERE name = 'fixed_burn'";
  ASSERT_EQ(sqlite3_exec(other, change, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  std::vector<sdk::Evidence> evidence(1);
  const auto changed = preview.Collect(evidence);
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(changed->message, "table 'model_field' in sqlite '" + std::string(path) +
                                  "' is not what it was before the trial");
  EXPECT_EQ(changed->code, "different-work");
  sdk::Block block(1, 4);
  const auto failure = block.Run(preview, MakeRequest(1, 1));
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->message, "arm 'a': the preview of one input gave two results");
  unlink(path);
}

struct Wrong {
  std::vector<sdk::ConfigEntries> arms;
  std::string message;
  std::string detail;
};

TEST(Preview, SaysWhatIsWrongWithItsConfig) {
  const Wrong wrongs[] = {
      {{{{"strategy", "undo"}}},
       "arm 'a': config 'strategy' is 'undo'",
       "expected one of: copy, rollback"},
      {{{{"backend", "h2"}}},
       "arm 'a': config 'backend' is 'h2'",
       "expected one of: postgres, sqlite"},
      {{{{"plans", int64_t{0}}}},
       "arm 'a': config 'plans' is 0",
       "expected an integer from 1 to 10000"},
      {{{{"strategy", "rollback"}}},
       "arm 'a': backend 'postgres' needs a postgres service",
       "the arm was given none; name one under 'uses'"},
      {{{{"plans", int64_t{10}}}, {{"plans", int64_t{11}}}},
       "arm 'b': 'months' and 'plans' must be those of arm 'a'",
       "they are 60 and 11, there 60 and 10"},
      {{{{"strategy", "rollback"}, {"backend", "sqlite"}, {"sqlite_path", "/no/where"}}},
       "arm 'a': sqlite: cannot use table 'model_field' of '/no/where'",
       "unable to open database file"},
  };
  for (const Wrong& wrong : wrongs) {
    Preview preview;
    sdk::TrialSetup setup = MakeSetup(wrong.arms);
    const auto failure = preview.Setup(setup);
    ASSERT_TRUE(failure.has_value()) << wrong.message;
    EXPECT_EQ(failure->message, wrong.message);
    EXPECT_EQ(failure->detail, wrong.detail);
  }
}

}  // namespace
}  // namespace tare::preview
