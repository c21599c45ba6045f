// Goal: what docs/analyze.md says of `tare analyze` is true. Its blocks are this test's input: data
// is read, and every command is run and must print what the document shows ("…" leaves lines out).

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/files.h"
#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kPrompt[] = "$ tare ";
constexpr char kLeftOut[] = "…";

// The lines of the document's blocks of one language, block by block.
std::vector<std::vector<std::string>> BlocksOf(const std::string& document,
                                               const std::string& language) {
  std::vector<std::vector<std::string>> blocks;
  bool is_inside = false;
  for (const absl::string_view line : absl::StrSplit(document, '\n')) {
    if (line == absl::StrCat("```", language)) {
      blocks.emplace_back();
      is_inside = true;
    } else if (line == "```") {
      is_inside = false;
    } else if (is_inside) {
      blocks.back().emplace_back(line);
    }
  }
  return blocks;
}

class Analyze : public E2eTest {
 protected:
  void SetUp() override {
    E2eTest::SetUp();
    source_ = getenv("TARE_SOURCE");
    std::filesystem::current_path(source_);  // as a reader of the document
    document_ = ReadFile(absl::StrCat(source_, "/docs/analyze.md")).value_or("");
  }

  std::string source_;
  std::string document_;
};

// Whether the shown lines come in `out` one after the other; where they do not, from which on.
std::string FindMissing(const std::vector<std::string>& shown, const std::string& out) {
  const std::vector<std::string> lines = absl::StrSplit(out, '\n');
  size_t at = 0;
  bool may_skip = false;
  for (const std::string& line : shown) {
    if (line == kLeftOut) {
      may_skip = true;
      continue;
    }
    while (may_skip && at < lines.size() && lines[at] != line) ++at;
    if (at == lines.size() || lines[at] != line) return line;
    ++at;
    may_skip = false;
  }
  return "";
}

TEST_F(Analyze, PrintsWhatItsDocumentShows) {
  const auto blocks = BlocksOf(document_, "console");
  EXPECT_GE(blocks.size(), 2u);
  for (const std::vector<std::string>& block : blocks) {
    absl::string_view command = block.front();
    ASSERT_TRUE(absl::ConsumePrefix(&command, kPrompt)) << block.front();
    const Outcome outcome = Tare(absl::StrSplit(command, ' '));
    EXPECT_THAT(outcome.err, IsEmpty());
    const std::vector<std::string> shown(block.begin() + 1, block.end());
    EXPECT_THAT(FindMissing(shown, outcome.out), IsEmpty()) << command << "\n" << outcome.out;
  }
}

TEST_F(Analyze, ReadsTheDataOfItsDocument) {
  for (const char* language : {"json", "csv"}) {
    const auto blocks = BlocksOf(document_, language);
    ASSERT_EQ(blocks.size(), 1u);
    const Outcome outcome = Tare({"analyze", Write("data", absl::StrJoin(blocks.front(), "\n"))});
    EXPECT_EQ(outcome.code, 3) << "too little of it to be judged\n" << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("too-few-processes"));
  }
}

TEST_F(Analyze, PrintsTheTablesOfTheStudyDigitForDigit) {
  const auto expected = ReadFile("tests/data/loan_rounds.expected.txt");
  ASSERT_TRUE(expected.ok()) << expected.status();
  const Outcome outcome = Tare({"analyze", "tests/data/loan_rounds.jsonl", "--compat"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, *expected);
}

TEST_F(Analyze, WritesItsReportAsJson) {
  const Outcome outcome =
      Tare({"analyze", "tests/data/pairs_end_500us_washout.csv", "--json", Path("report.json")});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const nlohmann::json report = ReadJson("report.json");
  EXPECT_EQ(report.at("verdict"), "regression");
  EXPECT_EQ(report.at("sources").at(0), "tests/data/pairs_end_500us_washout.csv");
}

TEST_F(Analyze, SaysWhatIsWrongWithItsOptions) {
  const std::string pairs = "tests/data/pairs_identical_random.csv";
  const struct {
    std::vector<std::string> arguments;
    const char* error;
  } kCases[] = {
      {{"absent.csv"}, "absent.csv"},
      {{pairs, "--threshold", "5"}, "--threshold: '5'"},
      {{pairs, "--absolute", "5%"}, "--absolute: '5%'"},
      {{pairs, "--strict"}, "--strict has no threshold to exceed"},
      {{pairs, "--metric", "p95"}, "--metric p95 is one of rounds, and these are pairs"},
      {{pairs, "--control", "c"}, "pairs have no control arm"},
      {{pairs, "--skip", "300"}, "all skipped as warm-up"},
      {{pairs, "--compat"}, "--compat"},
  };
  for (const auto& test : kCases) {
    std::vector<std::string> arguments = {"analyze"};
    arguments.insert(arguments.end(), test.arguments.begin(), test.arguments.end());
    const Outcome outcome = Tare(arguments);
    EXPECT_EQ(outcome.code, 64) << test.error;
    EXPECT_THAT(outcome.err, HasSubstr(test.error));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

}  // namespace
}  // namespace tare
