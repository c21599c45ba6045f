#include "base/placeholders.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tare {
namespace {

absl::StatusOr<std::string> Shout(const std::string& name) { return absl::StrCat(name, "!"); }

TEST(Placeholders, AreReplacedInTheirPlaces) {
  EXPECT_EQ(FillPlaceholders("--port={port}, {a}{b}", Shout).value(), "--port=port!, a!b!");
  EXPECT_EQ(FillPlaceholders("nothing", Shout).value(), "nothing");
  EXPECT_EQ(FillPlaceholders("", Shout).value(), "");
}

TEST(Placeholders, LeaveDoubledBracesAsSingleOnes) {
  EXPECT_EQ(FillPlaceholders("{{\"a\": {n}}}", Shout).value(), "{\"a\": n!}");
}

TEST(Placeholders, AreListedInOrder) {
  EXPECT_EQ(PlaceholdersOf("{b} {{x}} {a} {b}").value(), (std::vector<std::string>{"b", "a", "b"}));
}

TEST(Placeholders, SayWhereABraceIsAlone) {
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"ab{c", "'ab{c' has a '{' without a '}' at position 3"},
           {"a}b", "'a}b' has a '}' without a '{' at position 2"},
           {"{}", "'{}' has an empty {} at position 1"}}) {
    const absl::Status status = FillPlaceholders(text, Shout).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(PartsOf(status).what, what);
  }
}

TEST(Placeholders, PassOnWhatTheFillerSays) {
  const auto refuse = [](const std::string& name) -> absl::StatusOr<std::string> {
    return absl::NotFoundError(name);
  };
  EXPECT_EQ(FillPlaceholders("{port}", refuse).status(), absl::NotFoundError("port"));
}

}  // namespace
}  // namespace tare
