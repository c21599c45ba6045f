#include "workloads/sdk/cpp/config.h"

#include <functional>

#include "gtest/gtest.h"

namespace tare::sdk {
namespace {

TEST(Config, ResolvesToWhatWasGivenOrTheDefault) {
  Config config("a", {{"rate", int64_t{2}}, {"plans", int64_t{40}}, {"words", "x y"}});
  EXPECT_EQ(config.Integer("plans", 10, 1, 100), 40);
  EXPECT_EQ(config.Integer("months", 60, 1, 100), 60);
  EXPECT_EQ(config.Real("rate", 0.5), 2.0);
  EXPECT_EQ(config.Choice("order", {"up", "down"}), "up");
  EXPECT_TRUE(config.Flag("is_cold", true));
  EXPECT_EQ(config.Text("path", "/tmp"), "/tmp");
  EXPECT_EQ(std::get<std::string>(config.TextOrList("words")), "x y");
  EXPECT_TRUE(std::get<std::vector<std::string>>(config.TextOrList("more")).empty());
  EXPECT_FALSE(config.error().has_value());
  EXPECT_FALSE(config.FirstUnread().has_value());
  // In the order of reading, each value of the type in which it was given.
  const ConfigEntries expected = {
      {"plans", int64_t{40}}, {"months", int64_t{60}}, {"rate", int64_t{2}}, {"order", "up"},
      {"is_cold", true},      {"path", "/tmp"},        {"words", "x y"}};
  EXPECT_EQ(config.resolved(), expected);
}

struct Wrong {
  ConfigValue given;
  std::function<void(Config&)> read;
  std::string message;
  std::string detail;
};

TEST(Config, SaysWhatIsWrongWithAValue) {
  const auto integer = [](Config& config) { config.Integer("x", 5, 1, 9); };
  const auto choice = [](Config& config) { config.Choice("x", {"up", "down"}); };
  const Wrong wrongs[] = {
      {int64_t{10}, integer, "10", "expected an integer from 1 to 9"},
      {int64_t{0}, integer, "0", "expected an integer from 1 to 9"},
      {2.5, integer, "2.5", "expected an integer from 1 to 9"},
      {"5", integer, "'5'", "expected an integer from 1 to 9"},
      {"left", choice, "'left'", "expected one of: up, down"},
      {true, choice, "true", "expected a text"},
      {"yes", [](Config& config) { config.Flag("x", true); }, "'yes'", "expected true or false"},
      {"1", [](Config& config) { config.Real("x", 1); }, "'1'", "expected a number"},
      {std::vector<std::string>{"a", "b"}, [](Config& config) { config.Text("x", ""); }, "[a, b]",
       "expected a text"},
      {int64_t{1}, [](Config& config) { config.TextOrList("x"); }, "1",
       "expected a text or a list of texts"},
  };
  for (const Wrong& wrong : wrongs) {
    Config config("copy", {{"x", wrong.given}});
    wrong.read(config);
    ASSERT_TRUE(config.error().has_value()) << wrong.message;
    EXPECT_EQ(config.error()->message, "arm 'copy': config 'x' is " + wrong.message);
    EXPECT_EQ(config.error()->detail, wrong.detail);
  }
}

TEST(Config, NamesTheKeyThatNobodyReads) {
  Config config("copy", {{"plans", int64_t{1}}, {"plan", int64_t{1}}});
  config.Integer("plans", 1, 1, 1);
  config.Integer("months", 1, 1, 1);
  EXPECT_EQ(config.FirstUnread()->message, "arm 'copy': unknown config key 'plan'");
  EXPECT_EQ(config.FirstUnread()->detail, "this workload reads: plans, months");
}

}  // namespace
}  // namespace tare::sdk
