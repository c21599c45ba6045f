#include "proxy/postgres_pending.h"

#include "gtest/gtest.h"

namespace tare::proxy {
namespace {

TEST(PostgresPending, GivesTimesInTheOrderOfRequests) {
  PostgresPending pending;
  for (const int64_t ns : {10, 10, 20, 30, 30}) pending.Push(ns);
  EXPECT_EQ(pending.size(), 5);
  for (const int64_t ns : {10, 10, 20, 30}) EXPECT_EQ(pending.Pop(), ns);
  pending.Push(30);
  for (const int64_t ns : {30, 30}) EXPECT_EQ(pending.Pop(), ns);
  EXPECT_EQ(pending.size(), 0);
}

TEST(PostgresPending, KeepsNoTimesBeyondItsReads) {
  constexpr int64_t kReads = PostgresPending::kReadsMax;
  PostgresPending pending;
  for (int64_t ns = 0; ns <= kReads; ++ns) pending.Push(ns);
  EXPECT_EQ(pending.Pop(), 0);
  pending.Push(kReads + 1);  // there is room, but an untimed one is older
  for (int64_t ns = 1; ns < kReads; ++ns) EXPECT_EQ(pending.Pop(), ns);
  EXPECT_EQ(pending.size(), 2);
  EXPECT_EQ(pending.Pop(), std::nullopt);
  EXPECT_EQ(pending.Pop(), std::nullopt);
  pending.Push(99);
  EXPECT_EQ(pending.Pop(), 99);
}

TEST(PostgresPending, TakesBackTheNewest) {
  PostgresPending pending;
  for (const int64_t ns : {10, 20, 20}) pending.Push(ns);
  pending.DropNewest();
  pending.DropNewest();
  EXPECT_EQ(pending.size(), 1);
  pending.Push(30);
  EXPECT_EQ(pending.Pop(), 10);
  EXPECT_EQ(pending.Pop(), 30);
  constexpr int64_t kReads = PostgresPending::kReadsMax;
  for (int64_t ns = 0; ns <= kReads; ++ns) pending.Push(ns);
  pending.DropNewest();
  for (int64_t ns = 0; ns < kReads; ++ns) EXPECT_EQ(pending.Pop(), ns);
  EXPECT_EQ(pending.size(), 0);
}

}  // namespace
}  // namespace tare::proxy
