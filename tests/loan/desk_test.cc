// What tare-loan answers, without the network: routes, content, and the work of each version.

#include "workloads/loan/desk.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tare::loan {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A desk of one version with its metrics.
struct Filled {
  explicit Filled(Version version,
                  const StoreSize& size = {.loans_count = 5000, .members_count = 50})
      : desk(version, &metrics) {
    EXPECT_FALSE(desk.Fill(size));
  }
  Metrics metrics;
  Desk desk;
};

TEST(LoanStore, GivesEveryMemberTheSameNumberOfLoans) {
  LoanStore store;
  ASSERT_FALSE(store.Fill(StoreSize()));
  for (const int64_t member : {0, 7, 499}) {
    int64_t count = 0;
    ASSERT_FALSE(store.CountLoans(member, &count));
    EXPECT_EQ(count, 160) << member;
  }
  int64_t count = -1;
  ASSERT_FALSE(store.CountLoans(500, &count));
  EXPECT_EQ(count, 0);
}

TEST(LoanStore, ListsTheNewestFirst) {
  LoanStore store;
  ASSERT_FALSE(store.Fill(StoreSize()));
  std::vector<Loan> loans;
  ASSERT_FALSE(store.ListNewest(7, &loans));
  ASSERT_EQ(loans.size(), 40u);
  EXPECT_EQ(loans[0].id, 79'508);
  for (size_t i = 1; i < loans.size(); ++i) {
    EXPECT_EQ(loans[i].id, loans[i - 1].id - 500);
    EXPECT_EQ(loans[i].due_day, loans[i - 1].due_day - 7);
  }
}

TEST(Desk, AnswersTheSameInBothVersions) {
  Filled a(Version::kA);
  Filled b(Version::kB);
  bool has_overdue = false;
  for (int member = 0; member < 50; ++member) {
    const std::string target = "/loan?member=U-" + std::to_string(member);
    const Answer answer = a.desk.Get(target);
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.body, b.desk.Get(target).body);
    has_overdue = has_overdue || answer.body.find("\"overdue\":0,") == std::string::npos;
  }
  EXPECT_TRUE(has_overdue);
}

TEST(Desk, SaysMemberLoanOverdueAndList) {
  Filled a(Version::kA, {.loans_count = 4, .members_count = 2});
  EXPECT_EQ(a.desk.Get("/loan?member=U-1").body,
            "{\"member\":\"U-1\",\"loan\":2,\"overdue\":0,\"list\":["
            "{\"id\":4,\"book\":3252,\"due\":20028,\"returned\":false},"
            "{\"id\":2,\"book\":14730,\"due\":20021,\"returned\":true}]}");
}

TEST(Desk, RunsOneQueryMoreInVersionB) {
  Filled a(Version::kA);
  Filled b(Version::kB);
  for (int i = 0; i < 3; ++i) {
    a.desk.Get("/loan?member=U-7");
    b.desk.Get("/loan?member=U-7");
  }
  EXPECT_EQ(a.desk.Get("/metrics").body, "{\"requests\":3,\"queries\":6}");
  EXPECT_EQ(b.desk.Get("/metrics").body, "{\"requests\":3,\"queries\":9}");
  EXPECT_EQ(b.desk.Get("/metrics?x").body, "{\"requests\":3,\"queries\":9}");
}

TEST(Desk, FindsTheMemberAmongOtherParameters) {
  Filled a(Version::kA);
  EXPECT_THAT(a.desk.Get("/loan?x=1&member=U-3&y").body, StartsWith("{\"member\":\"U-3\""));
  EXPECT_EQ(a.desk.Get("/health").status, 200u);
}

TEST(Desk, RefusesWhatItDoesNotKnow) {
  Filled a(Version::kA);
  EXPECT_EQ(a.desk.Get("/loan?member=U-50").status, 404u);
  EXPECT_EQ(a.desk.Get("/loan?member=U-50").body, "{\"error\":\"there is no member U-50\"}");
  for (const char* target :
       {"/loan", "/loan?", "/loan?member=", "/loan?member=U-", "/loan?member=7", "/loan?member=U-x",
        "/loan?member=U--1", "/loan?member=U-7x", "/loan?member=U-07", "/loan?nomember=U-7",
        "/loan?member=U-99999999999999999999"}) {
    EXPECT_EQ(a.desk.Get(target).status, 400u) << target;
    EXPECT_THAT(a.desk.Get(target).body, HasSubstr("/loan?member=U-7")) << target;
  }
  for (const char* target : {"/", "", "/loans", "/loan/7", "*"}) {
    EXPECT_EQ(a.desk.Get(target).status, 404u) << target;
  }
}

}  // namespace
}  // namespace tare::loan
