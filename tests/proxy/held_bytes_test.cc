// Goal: bytes come out as they went in, when they are due, and leave no memory behind.

#include "proxy/held_bytes.h"

#include <string>
#include <vector>

#include "base/random.h"
#include "gtest/gtest.h"

namespace tare::proxy {
namespace {

Piece Data(const std::string& bytes, int64_t due_ns) {
  return {Piece::Kind::kData, static_cast<int64_t>(bytes.size()), 0, 0, due_ns};
}

TEST(HeldBytes, GivesOnlyWhatIsDue) {
  BlockPool pool;
  HeldBytes held(&pool);
  held.Add(Data("ab", 10), "ab");
  held.Add(Data("cd", 20), "cd");
  EXPECT_EQ(held.DueBytes(9), "");
  EXPECT_EQ(held.DueBytes(10), "ab");
  EXPECT_EQ(held.DueBytes(20), "abcd");
}

TEST(HeldBytes, AMarkEndsARun) {
  BlockPool pool;
  HeldBytes held(&pool);
  held.Add(Data("ab", 10), "ab");
  held.Add({Piece::Kind::kEnd, 0, 0, 0, 10}, "");
  EXPECT_EQ(held.DueBytes(10), "ab");
  held.Consume(2, [](const Piece&) {});
  EXPECT_EQ(held.DueBytes(10), "");
  EXPECT_EQ(held.head().kind, Piece::Kind::kEnd);
  held.PopMark();
  EXPECT_TRUE(held.empty());
}

TEST(HeldBytes, APieceIsDoneWithItsLastByte) {
  BlockPool pool;
  HeldBytes held(&pool);
  held.Add(Data("abc", 1), "abc");
  held.Add(Data("de", 2), "de");
  std::vector<int64_t> done;
  const auto note = [&done](const Piece& piece) { done.push_back(piece.due_ns); };
  held.Consume(2, note);
  EXPECT_TRUE(done.empty());
  EXPECT_EQ(held.DueBytes(2), "cde");
  held.Consume(2, note);
  EXPECT_EQ(done, std::vector<int64_t>({1}));
  held.Consume(1, note);
  EXPECT_EQ(done, std::vector<int64_t>({1, 2}));
  EXPECT_EQ(held.bytes_count(), 0);
}

TEST(HeldBytes, KeepsOrderOverManyBlocksOfAnySize) {
  BlockPool pool;
  HeldBytes held(&pool);
  Random random(1);
  std::string in;
  std::string out;
  for (int i = 0; i < 400; ++i) {
    const std::string bytes(1 + random.Below(i % 7 == 0 ? 300'000 : 5'000),
                            static_cast<char>('a' + i % 26));
    held.Add(Data(bytes, i), bytes);
    in += bytes;
    while (random.Below(3) != 0) {
      const absl::string_view due = held.DueBytes(i);
      if (due.empty()) break;
      const size_t count = 1 + random.Below(due.size());
      out.append(due.data(), count);
      held.Consume(static_cast<int64_t>(count), [](const Piece&) {});
    }
  }
  for (absl::string_view due = held.DueBytes(400); !due.empty(); due = held.DueBytes(400)) {
    out.append(due.data(), due.size());
    held.Consume(static_cast<int64_t>(due.size()), [](const Piece&) {});
  }
  EXPECT_TRUE(in == out);
  EXPECT_TRUE(held.empty());
}

}  // namespace
}  // namespace tare::proxy
