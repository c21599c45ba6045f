// Goal: the project keeps its own rules. Each failure says file:line, what, and what to write.

#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "tests/style/rules.h"
#include "tests/style/source_tree.h"

namespace tare::style {
namespace {

class Style : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    files_ = new std::vector<SourceFile>(ReadSourceTree(getenv("TARE_SOURCE")));
  }
  static void TearDownTestSuite() { delete files_; }

  static const SourceFile* Find(absl::string_view path) {
    for (const SourceFile& file : *files_) {
      if (file.path == path) return &file;
    }
    return nullptr;
  }

  template <typename Check>
  static void ExpectNone(Check check) {
    Violations all;
    for (const SourceFile& file : *files_) {
      for (std::string& violation : check(file)) all.push_back(std::move(violation));
    }
    EXPECT_TRUE(all.empty()) << absl::StrJoin(all, "\n");
  }

  static std::vector<SourceFile>* files_;
};

std::vector<SourceFile>* Style::files_ = nullptr;

TEST_F(Style, FindsTheSources) {
  EXPECT_NE(Find("base/clock.h"), nullptr);
  EXPECT_NE(Find("proto/tare/v1/record.proto"), nullptr);
  EXPECT_NE(Find("CMakeLists.txt"), nullptr);
}

TEST_F(Style, FoldersIncludeOnlyWhatTheyMay) { ExpectNone(CheckIncludes); }

TEST_F(Style, ForeignHeadersStayInTheirPlaces) { ExpectNone(CheckForeignHeaders); }

TEST_F(Style, LinesHaveAtMostAHundredColumns) { ExpectNone(CheckColumns); }

TEST_F(Style, BannedWordsAreNotUsed) { ExpectNone(CheckBannedWords); }

TEST_F(Style, HeaderGuardsNameTheirFile) { ExpectNone(CheckHeaderGuard); }

TEST_F(Style, FilesAreShort) { ExpectNone(CheckLength); }

TEST_F(Style, EverySourceIsInATarget) {
  const Violations violations = CheckTargets(*files_);
  EXPECT_TRUE(violations.empty()) << absl::StrJoin(violations, "\n");
}

TEST_F(Style, NamesAreWordsOfTheGlossary) {
  const SourceFile* glossary = Find("docs/glossary.md");
  ASSERT_NE(glossary, nullptr) << "docs/glossary.md is absent; the words of tare are listed there";
  const auto words = ReadSynonyms(*glossary);
  ASSERT_FALSE(words.empty()) << "docs/glossary.md: has no table '| not | but |' at its end";
  ExpectNone([&words](const SourceFile& file) { return CheckSynonyms(file, words); });
}

TEST_F(Style, TheChangelogHasAPlaceForWhatIsNew) {
  const SourceFile* changelog = Find("CHANGELOG.md");
  ASSERT_NE(changelog, nullptr) << "CHANGELOG.md is absent; every change that users see is in it";
  bool has_heading = false;
  for (const std::string& line : changelog->lines) {
    has_heading = has_heading || absl::StartsWith(line, "## [Unreleased]") ||
                  absl::StartsWith(line, "## Unreleased");
  }
  EXPECT_TRUE(has_heading) << "CHANGELOG.md:1: has no heading; add '## Unreleased'";
}

}  // namespace
}  // namespace tare::style
