#include "base/units.h"

#include "base/status.h"
#include "gtest/gtest.h"

namespace tare {
namespace {

TEST(Units, ReadsDurationsExactly) {
  struct Case {
    const char* text;
    int64_t ns;
  };
  for (const Case& c : {Case{"0", 0},
                        {"40ns", 40},
                        {"250us", 250'000},
                        {"1.5ms", 1'500'000},
                        {"0.001us", 1},
                        {"2s", 2'000'000'000},
                        {"3min", 180'000'000'000},
                        {"1h", 3'600'000'000'000}}) {
    auto parsed = ParseDurationNs(c.text);
    ASSERT_TRUE(parsed.ok()) << c.text << ": " << parsed.status();
    EXPECT_EQ(*parsed, c.ns) << c.text;
  }
}

TEST(Units, RefusesWhatIsNotADuration) {
  for (const char* text : {"", "5", "us", "-5us", "5 us", "5sec", "1.5ns", "1..5us", "1e3us", "٣us",
                           "99999999999999999999s", "300000000000s", "0x10us", "5%", ".us"}) {
    EXPECT_FALSE(ParseDurationNs(text).ok()) << text;
  }
  EXPECT_EQ(FormatError(ParseDurationNs("5").status()),
            "'5' is not a duration\n"
            "  detail: accepted: a number with ns, us, ms, s, min or h, such as 250us");
}

TEST(Units, ReadsPercentagesAndSizes) {
  EXPECT_EQ(ParsePercentPpm("5%").value(), 50'000);
  EXPECT_EQ(ParsePercentPpm("0.25%").value(), 2'500);
  EXPECT_FALSE(ParsePercentPpm("5").ok());
  EXPECT_FALSE(ParsePercentPpm("0.00001%").ok());
  EXPECT_EQ(ParseBytes("64KiB").value(), 65'536);
  EXPECT_FALSE(ParseBytes("64KB").ok());
}

TEST(Units, ExactFormReadsBack) {
  for (int64_t ns : {int64_t{0}, int64_t{40}, int64_t{250'000}, int64_t{1'500'000},
                     int64_t{60'000'000'000}, int64_t{90'000'000'000}}) {
    EXPECT_EQ(ParseDurationNs(FormatDurationExact(ns)).value(), ns);
  }
  EXPECT_EQ(FormatDurationExact(1'500'000), "1500us");
}

TEST(Units, ShowsThreeDigits) {
  EXPECT_EQ(FormatDuration(12'345), "12.3 us");
  EXPECT_EQ(FormatDuration(1'254'000), "1.25 ms");
  EXPECT_EQ(FormatDuration(-450), "-450 ns");
  EXPECT_EQ(FormatDuration(999'900), "1.00 ms");
  EXPECT_EQ(FormatDuration(3.1e9), "3.10 s");
  EXPECT_EQ(FormatDuration(0), "0.00 ns");
  EXPECT_EQ(FormatBytes(512 << 20), "512 MiB");
}

}  // namespace
}  // namespace tare
