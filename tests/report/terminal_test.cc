#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/page.h"
#include "coordinator/report/report.h"
#include "coordinator/report/table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/sample_reports.h"

namespace tare::coordinator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Terminal, SaysTheVerdictFirstAndAgainAtTheEndOfALongReport) {
  const std::string text = FormatTerminal(SlowerReport(), {});
  EXPECT_THAT(text, StartsWith("SLOWER  plans=10: rollback is slower than copy by 331 us"));
  const std::vector<std::string> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
  EXPECT_THAT(lines.back(), StartsWith("SLOWER  plans=120: "));
}

TEST(Terminal, PutsTheReasonOfARefusalBeforeEveryNumber) {
  const std::string text = FormatTerminal(ConfoundedReport(), {});
  EXPECT_LT(text.find("tare explain order-confounded"), text.find("[95 % interval]"));
  EXPECT_THAT(text, HasSubstr("Do not rely on them."));
}

TEST(Terminal, SaysWhatAnInconclusiveComparisonExcludes) {
  EXPECT_THAT(
      FormatTerminal(ProvisionalReport(), {.columns = 200}),
      HasSubstr("Excluded (95 %): slower by more than 7.50 us, faster by more than 3.30 us."));
}

TEST(Terminal, NamesTheWorstWhenVerdictsDiffer) {
  v1::Report report = SlowerReport();
  report.mutable_comparisons(1)->set_verdict(v1::VERDICT_INCONCLUSIVE);
  EXPECT_THAT(FormatTerminal(report, {}),
              StartsWith("SLOWER        the worst of 3 comparisons\nSLOWER        plans=10: "));
}

TEST(Terminal, UsesColorOnlyWhenAsked) {
  EXPECT_THAT(FormatTerminal(SlowerReport(), {.has_color = true}), StartsWith("\x1b[1;33mSLOWER"));
  EXPECT_THAT(FormatTerminal(SlowerReport(), {}), Not(HasSubstr("\x1b")));
}

TEST(Terminal, LetsNoEscapeSequenceOfAProcessNameThrough) {
  v1::Report report = NearlyEmptyReport();
  report.add_warnings("pid 7 '\x1b[2Jevil\r' was busy");
  EXPECT_THAT(FormatTerminal(report, {}), HasSubstr("pid 7 '?[2Jevil?' was busy"));
}

TEST(Terminal, StaysWithinTheWidthWhateverTheNamesAndNumbers) {
  v1::Report report = SlowerReport();
  for (v1::ReportComparison& comparison : *report.mutable_comparisons()) {
    comparison.set_cell(std::string(100, 'c'));
    comparison.set_baseline("a long name with spaces that goes on for more than one whole line");
    comparison.mutable_estimate()->set_value_ns(1.25e18);
    comparison.mutable_estimate()->set_low_ns(-1.25e18);
  }
  report.mutable_machines(0)->set_host(std::string(200, 'h'));
  for (const absl::string_view line : absl::StrSplit(FormatTerminal(report, {}), '\n')) {
    EXPECT_LE(WidthOf(line), 80) << line;
  }
}

TEST(Numbers, ShareOneUnitAndMeetAtTheDecimalPoint) {
  const std::vector<Range> ranges = {{331200.0, 322100.0, 340300.0},
                                     {1190000.0, -9000.0, 1220000.0}};
  const Scale scale = Scale::ForDurations(ValuesOf(ranges));
  EXPECT_EQ(scale.unit(), "ms");
  EXPECT_THAT(FormatRanges(ranges, scale),
              ElementsAre("+0.331 [ 0.322, 0.340]", "+1.190 [-0.009, 1.220]"));
}

TEST(Numbers, SayWhenTheValueOrItsIntervalIsAbsent) {
  const std::vector<Range> ranges = {{12.5, std::nullopt, std::nullopt}, {}};
  EXPECT_THAT(FormatRanges(ranges, Scale::ForDurations(ValuesOf(ranges))),
              ElementsAre("+12.5 no interval", "    -"));
}

TEST(Numbers, NeverPrintAMinusBeforeZero) {
  const Scale scale = Scale::ForDurations({123456.0});
  EXPECT_EQ(scale.Format(-1.0), "0.0");
  EXPECT_EQ(scale.FormatSigned(-1.0), "0.0");
  EXPECT_EQ(scale.FormatSigned(1.0), "0.0");
}

TEST(Numbers, KeepThreeDigitsOfThePercentage) {
  EXPECT_EQ(FormatShare(0.00431), "0.43 %");
  EXPECT_EQ(FormatShare(0.123), "12.3 %");
  EXPECT_EQ(FormatShare(1.061), "106 %");
}

TEST(Wrap, BreaksAtSpacesAndCutsWordsThatAreTooLong) {
  EXPECT_THAT(Wrap("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(Wrap("abcdefgh ij", 3), ElementsAre("abc", "def", "gh", "ij"));
  EXPECT_THAT(Wrap("äöüß", 2), ElementsAre("äö", "üß"));
  EXPECT_THAT(Wrap("  ", 5), ElementsAre());
}

TEST(Table, GivesTheFirstColumnItsOwnLineWhenThePageIsTooNarrow) {
  Table table({"plans=10, wire.delay=250us, cache"});
  table.Column("value", Align::kRight, {"12.5"});
  table.Column("hidden", Align::kRight, {""});
  Page page({.columns = 40});
  table.Print(0, &page);
  EXPECT_EQ(page.text(),
            "cell                               value\nplans=10, wire.delay=250us, cache   12.5\n");
  Table wide = table;
  wide.Column("more", Align::kRight, {"3"});
  Page narrow({.columns = 40});
  wide.Print(0, &narrow);
  EXPECT_EQ(narrow.text(), "  value  more\nplans=10, wire.delay=250us, cache\n   12.5     3\n");
}

}  // namespace
}  // namespace tare::coordinator
