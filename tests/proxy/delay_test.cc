// Goal: laws have the mean and deviation that they are asked for, and nonsense is refused.

#include "proxy/delay.h"

#include <cmath>
#include <vector>

#include "base/files.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "proxy/profile_text.h"
#include "tests/temporary_directory.h"

namespace tare::proxy {
namespace {

constexpr int kDraws = 200'000;

struct Moments {
  double mean;
  double deviation;
  int64_t minimum;
  int64_t maximum;
};

Moments MomentsOf(const ProfileText& text, uint64_t seed) {
  const auto profile = ParseProfile(text);
  EXPECT_TRUE(profile.ok()) << profile.status();
  DelaySource source(profile->get(), /*is_on=*/true, seed);
  double sum = 0;
  double squares = 0;
  Moments moments = {0, 0, kDelayMaxNs, 0};
  for (int i = 0; i < kDraws; ++i) {
    const int64_t drawn = source.Draw();
    sum += static_cast<double>(drawn);
    squares += std::pow(static_cast<double>(drawn), 2);
    moments.minimum = std::min(moments.minimum, drawn);
    moments.maximum = std::max(moments.maximum, drawn);
  }
  moments.mean = sum / kDraws;
  moments.deviation = std::sqrt(squares / kDraws - std::pow(moments.mean, 2));
  return moments;
}

TEST(DelaySource, AFixedLawAlwaysSaysTheSame) {
  const Moments fixed = MomentsOf({.delay = "250us"}, 1);
  EXPECT_EQ(fixed.minimum, 250'000);
  EXPECT_EQ(fixed.maximum, 250'000);
}

TEST(DelaySource, AUniformLawStaysWithinItsSpread) {
  const Moments uniform = MomentsOf({.delay = "1ms", .law = "uniform", .spread = "300us"}, 2);
  EXPECT_NEAR(uniform.mean, 1e6, 2e3);
  EXPECT_NEAR(uniform.deviation, 300e3 / std::sqrt(3), 1e3);
  EXPECT_GE(uniform.minimum, 700'000);
  EXPECT_LE(uniform.maximum, 1'300'000);
}

TEST(DelaySource, ANormalLawHasItsMeanAndDeviation) {
  const Moments normal = MomentsOf({.delay = "1ms", .law = "normal", .spread = "100us"}, 3);
  EXPECT_NEAR(normal.mean, 1e6, 1.5e3);
  EXPECT_NEAR(normal.deviation, 100e3, 1e3);
}

TEST(DelaySource, ANormalLawNeverGoesBelowZero) {
  const Moments normal = MomentsOf({.delay = "10us", .law = "normal", .spread = "1ms"}, 4);
  EXPECT_EQ(normal.minimum, 0);
}

TEST(DelaySource, AParetoLawHasItsMeanAndDeviationAndALongTail) {
  const Moments pareto = MomentsOf({.delay = "1ms", .law = "pareto", .spread = "200us"}, 5);
  EXPECT_NEAR(pareto.mean, 1e6, 3e3);
  EXPECT_NEAR(pareto.deviation, 200e3, 20e3);
  // Scale: mean (a − 1) / a with a = 1 + √26.
  EXPECT_NEAR(static_cast<double>(pareto.minimum), 1e6 * std::sqrt(26) / (1 + std::sqrt(26)), 100);
  EXPECT_GT(pareto.maximum, 3'000'000);
}

TEST(DelaySource, ATraceIsReplayedInOrderFromADrawnBeginning) {
  TemporaryDirectory directory;
  ASSERT_TRUE(WriteFile(directory.Path("t"), "# hops\n10us\n\n20us\n30us\n").ok());
  const auto profile = ParseProfile({.law = "trace", .trace = directory.Path("t")});
  ASSERT_TRUE(profile.ok()) << profile.status();
  DelaySource source(profile->get(), true, 7);
  std::vector<int64_t> drawn;
  for (int i = 0; i < 6; ++i) drawn.push_back(source.Draw());
  for (int i = 0; i + 3 < 6; ++i) EXPECT_EQ(drawn[i], drawn[i + 3]);
  EXPECT_EQ(drawn[0] % 30'000 + 10'000, drawn[1]);
}

TEST(DelaySource, TheSameSeedDrawsTheSame) {
  const auto profile = ParseProfile({.delay = "1ms", .law = "normal", .spread = "100us"});
  DelaySource a(profile->get(), true, 9);
  DelaySource b(profile->get(), true, 9);
  DelaySource other(profile->get(), true, 10);
  bool is_different = false;
  for (int i = 0; i < 100; ++i) {
    const int64_t drawn = a.Draw();
    EXPECT_EQ(drawn, b.Draw());
    is_different = is_different || drawn != other.Draw();
  }
  EXPECT_TRUE(is_different);
}

TEST(DelaySource, ADirectionThatIsOffIsNotDelayed) {
  const auto profile = ParseProfile({.delay = "1ms"});
  EXPECT_FALSE((*profile)->DelaysToServer());
  EXPECT_TRUE((*profile)->DelaysToClient());
  EXPECT_EQ(DelaySource(profile->get(), false, 1).Draw(), 0);
}

struct WrongProfile {
  const char* name;
  ProfileText text;
  const char* error;
};

class ProfileErrors : public testing::TestWithParam<WrongProfile> {};

TEST_P(ProfileErrors, SayWhatIsWrong) {
  const auto profile = ParseProfile(GetParam().text);
  ASSERT_FALSE(profile.ok());
  EXPECT_EQ(FormatError(profile.status()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, ProfileErrors,
    testing::Values(
        WrongProfile{"law",
                     {.law = "unifrom"},
                     "law: 'unifrom' is not known\n  detail: known: fixed, uniform, normal, "
                     "pareto, trace\n  try: did you mean 'uniform'?"},
        WrongProfile{"needs_spread",
                     {.delay = "1ms", .law = "normal"},
                     "law normal needs a spread\n  try: --spread 50us"},
        WrongProfile{"spread_of_fixed",
                     {.delay = "1ms", .spread = "1us"},
                     "law fixed has no spread\n  try: --law uniform, normal or pareto"},
        WrongProfile{
            "wide_uniform",
            {.delay = "1ms", .law = "uniform", .spread = "2ms"},
            "a uniform law's spread is at most its delay\n  detail: spread 2ms, delay 1ms"},
        WrongProfile{"pareto_of_nothing",
                     {.law = "pareto", .spread = "2ms"},
                     "law pareto needs a delay\n  try: --delay 1ms"},
        WrongProfile{"trace_without_file",
                     {.law = "trace"},
                     "law trace needs a trace file\n  try: --trace FILE"},
        WrongProfile{
            "file_without_law", {.trace = "x"}, "law fixed has no trace file\n  try: --law trace"},
        WrongProfile{"delay_beside_trace",
                     {.delay = "1ms", .law = "trace", .trace = "x"},
                     "law trace takes its delays from the file, so it has no other"},
        WrongProfile{"long",
                     {.delay = "2min"},
                     "delay and spread are at most 1min\n  detail: delay 2min, spread 0"},
        WrongProfile{"narrow",
                     {.bytes_per_second = "10"},
                     "bytes-per-second: '10' is no number of at least 1000"}),
    [](const auto& tested) { return tested.param.name; });

TEST(Trace, AWrongLineIsNamed) {
  TemporaryDirectory directory;
  const std::string path = directory.Path("t");
  ASSERT_TRUE(WriteFile(path, "10us\nten\n").ok());
  const auto profile = ParseProfile({.law = "trace", .trace = path});
  ASSERT_FALSE(profile.ok());
  EXPECT_EQ(FormatError(profile.status()).find(path + ":2: "), 0u) << profile.status();
}

TEST(Trace, AnEmptyOneIsRefused) {
  TemporaryDirectory directory;
  ASSERT_TRUE(WriteFile(directory.Path("t"), "# nothing\n").ok());
  const auto profile = ParseProfile({.law = "trace", .trace = directory.Path("t")});
  EXPECT_EQ(FormatError(profile.status()),
            "trace '" + directory.Path("t") +
                "' has no values\n  try: write one delay a line, as in 250us");
}

}  // namespace
}  // namespace tare::proxy
