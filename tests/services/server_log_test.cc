#include "agent/services/server_log.h"

#include "gtest/gtest.h"

namespace tare::agent {
namespace {

TEST(ServerLog, LastWordsHaveNoStampsAndAFewLines) {
  EXPECT_EQ(LastWords("2026-11-30 21:36:01.123 UTC [4711] LOG:  a [b] c\n"
                      "2026-11-30 21:36:01.124 UTC [4711] FATAL:  d\n"),
            "LOG:  a [b] c; FATAL:  d");
  EXPECT_EQ(LastWords("1\n2\n3\n4\n5\n6\n7\n8\n"), "3; 4; 5; 6; 7; 8");
  EXPECT_EQ(LastWords("\n \n"), "");
}

TEST(ServerLog, TellsWhoIsToBlame) {
  const struct {
    const char* log;
    absl::StatusCode code;
  } cases[] = {
      {"FATAL:  could not write to file \"x\": No space left on device",
       absl::StatusCode::kResourceExhausted},
      {"LOG:  invalid value for parameter \"fsync\": \"maybe\"",
       absl::StatusCode::kInvalidArgument},
      {"LOG:  unrecognized configuration parameter \"x\" in file",
       absl::StatusCode::kInvalidArgument},
      {"LOG:  1 is outside the valid range for parameter \"max_connections\"",
       absl::StatusCode::kInvalidArgument},
      {"FATAL:  something else", absl::StatusCode::kUnavailable},
      {"", absl::StatusCode::kUnavailable},
  };
  for (const auto& c : cases) EXPECT_EQ(CodeOfServerText(c.log), c.code) << c.log;
}

TEST(ServerLog, KnowsALostPort) {
  EXPECT_TRUE(
      SaysPortIsTaken("LOG:  could not bind IPv4 address \"127.0.0.1\": Address already in use"));
  EXPECT_FALSE(SaysPortIsTaken("FATAL:  something else"));
}

}  // namespace
}  // namespace tare::agent
