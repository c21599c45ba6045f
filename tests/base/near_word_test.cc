#include "base/near_word.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace tare {
namespace {

TEST(NearWord, FindsTheWordThatWasMeant) {
  EXPECT_EQ(NearWord("wamrup", {"washout", "warmup", "sets"}), "warmup");
  EXPECT_EQ(NearWord("order-confound", {"incomplete", "order-confounded"}), "order-confounded");
  EXPECT_EQ(NearWord("sets", {"sets"}), "sets");
}

TEST(NearWord, FindsNothingWhereNothingIsNear) {
  EXPECT_EQ(NearWord("temperature", {"warmup", "sets"}), std::nullopt);
  EXPECT_EQ(NearWord("ab", {"cd"}), std::nullopt);
  EXPECT_EQ(NearWord("", {"pin"}), std::nullopt);
  EXPECT_EQ(NearWord(std::string(65, 'a'), {std::string(65, 'a')}), std::nullopt);
}

TEST(NearWord, TakesTheFirstOfSeveralThatAreEquallyNear) {
  EXPECT_EQ(NearWord("seta", {"sets", "setb"}), "sets");
}

}  // namespace
}  // namespace tare
