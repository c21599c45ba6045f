// Goal: what the README tells a newcomer to type works. Its console blocks are this test's input:
// every line that begins with "$ tare" is run, in order, in one directory that has the examples.

#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

constexpr char kPrompt[] = "$ tare ";

// Words of a command line; single quotes group.
std::vector<std::string> SplitWords(absl::string_view line) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (char c : line) {
    if (c == '\'') {
      is_quoted = !is_quoted;
    } else if (c == ' ' && !is_quoted) {
      words.emplace_back();
    } else {
      words.back().push_back(c);
    }
  }
  return words;
}

class Readme : public E2eTest {};

TEST_F(Readme, ItsCommandsWork) {
  const std::string source = getenv("TARE_SOURCE");
  std::filesystem::copy(source + "/examples", Path("examples"));
  std::filesystem::current_path(directory_);
  std::ifstream readme(source + "/README.md");
  int commands = 0;
  for (std::string line; std::getline(readme, line);) {
    if (!absl::StartsWith(line, kPrompt)) continue;
    // The long examples: one is what `./dev demo` runs, the other has a shorter one in gate_test.
    if (absl::StrContains(line, "preview-cost.yaml")) continue;
    if (absl::StrContains(line, "loan-gate.yaml")) continue;
    const Outcome outcome = Tare(SplitWords(line.substr(sizeof kPrompt - 1)));
    EXPECT_TRUE(outcome.code >= 0 && outcome.code <= 3) << line << "\n" << outcome.err;
    ++commands;
  }
  EXPECT_GE(commands, 5);
}

}  // namespace
}  // namespace tare
