#include "stats/rounds_needed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"

namespace tare::stats {
namespace {

TEST(RoundsNeeded, ToPassWhereNothingChangedMatchesTheTable) {
  struct Row {
    double sd;
    size_t rounds[4];  // thresholds 2, 5, 10, 20 %
  };
  const Row kTable[] = {{0.02, {11, 4, 3, 3}},
                        {0.04, {37, 8, 4, 3}},
                        {0.06, {80, 15, 6, 3}},
                        {0.08, {142, 25, 8, 4}},
                        {0.10, {220, 38, 11, 5}}};
  const double kThresholds[] = {0.02, 0.05, 0.10, 0.20};
  for (const Row& row : kTable) {
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(RoundsNeeded(std::log1p(kThresholds[i]), row.sd, 0.05, 0.9).value(), row.rounds[i])
          << row.sd << " " << kThresholds[i];
    }
  }
}

// The rows of "How many rounds" in docs/gate.md: "| 4 % | 37 | 8 | 4 | 3 |".
TEST(RoundsNeeded, IsWhatTheDocumentationSays) {
  const std::string text = ReadFile(absl::StrCat(getenv("TARE_SOURCE"), "/docs/gate.md")).value();
  int rows = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    int percent = 0;
    if (cells.size() != 5 || !absl::StartsWith(line, "| ") ||
        !absl::SimpleAtoi(cells[0].substr(2, cells[0].find(" %") - 2), &percent)) {
      continue;
    }
    ++rows;
    const double kThresholds[] = {0.02, 0.05, 0.10, 0.20};
    for (size_t i = 0; i < 4; ++i) {
      const size_t rounds =
          RoundsNeeded(std::log1p(kThresholds[i]), percent / 100.0, 0.05, 0.9).value();
      EXPECT_EQ(cells[i + 1].substr(0, cells[i + 1].find(' ')), absl::StrCat(rounds)) << line;
    }
  }
  EXPECT_EQ(rows, 5);
}

TEST(RoundsNeeded, ToFailStrictlyMatchesTheTable) {
  struct Row {
    double gap;
    size_t rounds[3];  // power 80, 90, 95 %
  };
  const Row kTable[] = {{0.5, {43, 55, 66}}, {0.75, {21, 26, 31}}, {1, {13, 16, 19}},
                        {1.5, {8, 9, 10}},   {2, {6, 7, 7}},       {3, {4, 5, 5}}};
  const double kPowers[] = {0.8, 0.9, 0.95};
  for (const Row& row : kTable) {
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(RoundsNeeded(row.gap, 1, 0.01, kPowers[i]).value(), row.rounds[i])
          << row.gap << " " << kPowers[i];
    }
  }
}

TEST(RoundsNeeded, IsBoundedAtBothEnds) {
  EXPECT_EQ(RoundsNeeded(1e6, 1, 0.01, 0.999).value(), 3u);
  EXPECT_GT(RoundsNeeded(0.012, 1, 0.01, 0.9).value(), 80'000u);
  const absl::Status status = RoundsNeeded(0.01, 1, 0.01, 0.9).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(status.message(), "more than 100000 rounds are needed");
}

TEST(RoundsNeeded, RefusesImpossibleQuestions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double gap : {0.0, -1.0, nan}) {
    EXPECT_EQ(RoundsNeeded(gap, 1, 0.01, 0.9).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(RoundsNeeded(1, gap, 0.01, 0.9).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(RoundsNeeded(1, 1, 0, 0.9).ok());
  EXPECT_FALSE(RoundsNeeded(1, 1, 0.01, 1).ok());
}

}  // namespace
}  // namespace tare::stats
