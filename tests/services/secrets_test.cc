#include "agent/services/secrets.h"

#include "base/status.h"
#include "gtest/gtest.h"

namespace tare::agent {
namespace {

TEST(Secrets, AreReplacedWhereverTheyStand) {
  const struct {
    std::string text;
    std::vector<std::string> secrets;
    std::string expected;
  } cases[] = {
      {"password=geheim geheim2", {"geheim"}, "password=*** ***2"},
      {"abc abcdef", {"abc", "abcdef"}, "*** ***"},  // the longer first, or "def" would stay
      {"nothing here", {"geheim"}, "nothing here"},
      {"text", {""}, "text"},
      {"", {"geheim"}, ""},
  };
  for (const auto& c : cases) EXPECT_EQ(RedactSecrets(c.text, c.secrets), c.expected);
}

TEST(Secrets, LeaveAllPartsOfAnError) {
  const absl::Status status = MakeError(absl::StatusCode::kUnavailable, "no geheim")
                                  .Detail("said geheim")
                                  .Try("change geheim");
  const absl::Status redacted = RedactSecrets(status, {"geheim"});
  EXPECT_EQ(redacted.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(FormatError(redacted), "no ***\n  detail: said ***\n  try: change ***");
  EXPECT_TRUE(RedactSecrets(absl::OkStatus(), {"geheim"}).ok());
}

}  // namespace
}  // namespace tare::agent
