// Damaged experiment files: whatever comes, ReadExperiment answers and does not crash. Run under
// the sanitizers this also looks for undefined behaviour.

#include "base/random.h"
#include "gtest/gtest.h"
#include "tests/experiment/experiment_text.h"

namespace tare::coordinator {
namespace {

constexpr int kMutantsCount = 1'500;

// Pieces that mean something in YAML, so that damage reaches beyond the scanner.
constexpr const char* kPieces[] = {
    "&a ",  "*a",  "!!str ", "<<: ",  "---\n", "...\n",        "? ",   ": ",    "- ", "[",    "]",
    "{",    "}",   "\"",     "'",     "|\n",   ">-\n",         "#",    "%TAG ", "\t", "\r\n", "~",
    "null", "0x1", "-.inf",  "1e999", "\xFF",  "\xEF\xBB\xBF", "\xC3", "é",     "@",  "`",    "\\x",
    "\n\n", "  "};

std::string Mutate(std::string text, Random* random) {
  const uint64_t changes = 1 + random->Below(6);
  for (uint64_t i = 0; i < changes; ++i) {
    const size_t at = random->Below(text.size() + 1);
    const size_t length = std::min<size_t>(random->Below(20), text.size() - at);
    switch (random->Below(4)) {
      case 0:
        text.insert(at, kPieces[random->Below(std::size(kPieces))]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(random->Below(text.size() + 1), text.substr(at, length));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random->Below(256));
    }
  }
  return text;
}

TEST(Mutation, NeverCrashesTheReader) {
  Random random(7);
  const std::string seed = absl::StrCat(StarterExperiment(), "sweep: { size: [1, 2] }\n");
  int refused = 0;
  for (int i = 0; i < kMutantsCount; ++i) {
    const auto experiment = ReadExperiment(Mutate(seed, &random), "x.yaml");
    if (experiment.ok()) continue;
    ++refused;
    EXPECT_EQ(experiment.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(experiment.status().message().substr(0, 7), "x.yaml:");
  }
  EXPECT_GT(refused, kMutantsCount / 2);
}

}  // namespace
}  // namespace tare::coordinator
