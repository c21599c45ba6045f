// What becomes of measured files: which run they make, and what is said of those that make none.

#include "coordinator/import/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kRounds[] =
    "{\"arm\":\"baseline\",\"round\":7,\"errors\":3,\"queries\":2,\"ms\":[9.5,1.25,1.5]}\n"
    "{\"arm\":\"candidate\",\"round\":7,\"ms\":[9,2,3],\"reached\":497.2}\n";

constexpr char kPairs[] =
    "process,pair,first,baseline_ns,candidate_ns,applied_ns\n"
    "4,0,candidate,100,200,50\n"
    "4,1,baseline,110,210,51\n";

RunData Imported(const std::string& text, const ImportOptions& options = {}) {
  absl::StatusOr<RunData> data = Import({{"a.txt", text}}, options);
  EXPECT_TRUE(data.ok()) << FormatError(data.status());
  return data.ok() ? *std::move(data) : RunData();
}

std::string ErrorOf(std::vector<MeasuredFile> files, const ImportOptions& options = {}) {
  return FormatError(Import(std::move(files), options).status());
}

TEST(Import, MakesATrialOfEachLineOfRounds) {
  const RunData data = Imported(kRounds, {.skip = 1});
  EXPECT_THAT(data.sources, ElementsAre("a.txt"));
  EXPECT_EQ(data.experiment.purpose(), v1::PURPOSE_GATE);
  EXPECT_EQ(data.plan.pairing(), v1::PAIRING_ROUNDS);
  EXPECT_EQ(data.plan.order(), v1::ORDER_UNSPECIFIED);
  ASSERT_EQ(data.plan.comparisons_size(), 1);
  EXPECT_EQ(data.plan.comparisons(0).candidate(), "candidate");
  ASSERT_EQ(data.trials.size(), 2u);
  EXPECT_EQ(data.plan.trials(1).round(), 7);
  EXPECT_THAT(data.plan.trials(1).sample_arms(), ElementsAre(1, 1, 1));
  ASSERT_EQ(data.trials[0].blocks.size(), 2u);
  EXPECT_TRUE(data.trials[0].blocks[0].is_warmup());
  EXPECT_THAT(data.trials[0].blocks[0].value_ns(), ElementsAre(9'500'000));
  EXPECT_FALSE(data.trials[0].blocks[1].is_warmup());
  EXPECT_THAT(data.trials[0].blocks[1].value_ns(), ElementsAre(1'250'000, 1'500'000));
}

TEST(Import, KeepsWhatTheLinesCount) {
  const RunData data = Imported(kRounds);
  const v1::ArmEvidence& evidence = data.trials[0].record.processes(0).arms(0);
  ASSERT_EQ(evidence.counters_size(), 2);
  EXPECT_EQ(evidence.counters(0).name(), "errors");
  EXPECT_EQ(evidence.counters(0).value(), 3);
  EXPECT_EQ(evidence.counters(1).name(), "queries");
  EXPECT_EQ(evidence.counters(1).value(), 6) << "2 an operation, 3 operations";
}

TEST(Import, ReadsTheUnitFromTheKey) {
  for (const char* samples : {"\"ns\":[1500]", "\"us\":[1.5]", "\"ms\":[0.0015]"}) {
    const RunData data =
        Imported(absl::StrCat("{\"arm\":\"baseline\",\"round\":1,", samples,
                              "}\n{\"arm\":\"candidate\",\"round\":1,", samples, "}"));
    ASSERT_EQ(data.trials.size(), 2u) << samples;
    EXPECT_THAT(data.trials[1].blocks[0].value_ns(), ElementsAre(1500)) << samples;
  }
}

TEST(Import, TakesAnArmThatIsNamedControlForTheControl) {
  const std::string control = "{\"arm\":\"control\",\"round\":7,\"ms\":[1,1,1]}\n";
  const RunData data = Imported(absl::StrCat(kRounds, control));
  ASSERT_EQ(data.plan.arms_size(), 3);
  EXPECT_EQ(data.plan.arms(1).name(), "control");
  EXPECT_EQ(data.plan.arms(1).kind(), v1::ARM_KIND_CONTROL);
  EXPECT_EQ(data.plan.arms(1).repeats(), "baseline");
  ASSERT_EQ(data.plan.comparisons_size(), 2);
  EXPECT_EQ(data.plan.comparisons(1).kind(), v1::COMPARISON_KIND_CONTROL);
}

TEST(Import, LeavesATrialWithoutDataWhereARoundLacksAnArm) {
  const RunData data =
      Imported(absl::StrCat(kRounds, "{\"arm\":\"baseline\",\"round\":8,\"ms\":[1,1,1]}\n"));
  EXPECT_EQ(data.plan.trials_size(), 4);
  EXPECT_EQ(data.trials.size(), 3u);
}

TEST(Import, MakesATrialOfEachProcessOfPairs) {
  const RunData data = Imported(kPairs, {.skip = 1});
  EXPECT_EQ(data.plan.pairing(), v1::PAIRING_IN_PROCESS);
  EXPECT_EQ(data.plan.order(), v1::ORDER_RANDOM);
  ASSERT_EQ(data.trials.size(), 1u);
  EXPECT_EQ(data.plan.trials(0).round(), 4);
  EXPECT_THAT(data.plan.trials(0).sample_arms(), ElementsAre(1, 0, 0, 1));
  ASSERT_EQ(data.trials[0].blocks.size(), 2u);
  EXPECT_THAT(data.trials[0].blocks[0].value_ns(), ElementsAre(200, 100));
  EXPECT_THAT(data.trials[0].blocks[1].value_ns(), ElementsAre(110, 210));
  EXPECT_THAT(data.trials[0].blocks[1].applied_ns(), ElementsAre(0, 51));
}

TEST(Import, SaysWhichOrderThePairsHad) {
  const auto order = [](const std::string& text) { return Imported(text).plan.order(); };
  EXPECT_EQ(order("process,first,baseline_us,candidate_us\n0,baseline,1,2\n0,baseline,1,2\n"),
            v1::ORDER_FIXED);
  EXPECT_EQ(order("process,baseline_us,candidate_us\n0,1,2\n0,1,2\n"), v1::ORDER_UNSPECIFIED);
}

TEST(Import, ReadsWhatSpreadsheetsWrite) {
  const RunData data = Imported(
      "\xEF\xBB\xBF\"process\", \"first\", \"old_ms\", \"new_ms\"\r\n1, \"new\", 1.5, 2\r\n\r\n",
      {.baseline = "old", .candidate = "new"});
  ASSERT_EQ(data.trials.size(), 1u);
  EXPECT_THAT(data.trials[0].blocks[0].value_ns(), ElementsAre(2'000'000, 1'500'000));
}

TEST(Import, ReadsSeveralFilesAsOneRun) {
  const absl::StatusOr<RunData> data =
      Import({{"a.jsonl", "{\"arm\":\"baseline\",\"round\":1,\"ms\":[1]}"},
              {"b.jsonl", "{\"arm\":\"candidate\",\"round\":1,\"ms\":[1]}"}},
             {});
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT(data->sources, ElementsAre("a.jsonl", "b.jsonl"));
  EXPECT_EQ(data->trials.size(), 2u);
}

struct Refused {
  const char* name;
  const char* text;
  const char* error;

  friend std::ostream& operator<<(std::ostream& out, const Refused& refused) {
    return out << refused.name;
  }
};

class BadFile : public testing::TestWithParam<Refused> {};

TEST_P(BadFile, IsRefusedByLineWithWhatIsAccepted) {
  EXPECT_EQ(ErrorOf({{"x", GetParam().text}}), GetParam().error);
}

constexpr char kForms[] =
    "\n  detail: accepted: JSON lines of rounds, or CSV of pairs with the names of its columns "
    "first\n  try: see docs/analyze.md";

const Refused kRefused[] = {
    {"JsonSyntax", "{\"arm\":\"a\",\n",
     "x:1: is not JSON from byte 12 on\n  accepted: one JSON object a line"},
    {"JsonIsNoObject", "{\"arm\":\"baseline\",\"round\":1,\"ms\":[1]}\n[1]\n",
     "x:2: is not a JSON object\n  accepted: one JSON object a line"},
    {"HugeNumber", "{\"arm\":\"a\",\"round\":1,\"ms\":[1e999]}",
     "x:1: has a number too large to be held\n  accepted: one JSON object a line"},
    {"EverythingIsMissing", "{}",
     "x:1: has no 'arm'\n  accepted: the arm's name as a text\n"
     "x:1: has no 'round'\n  accepted: a whole number from 0 to 1000000000\n"
     "x:1: has no samples\n  accepted: a list of numbers 'ms', 'us' or 'ns'"},
    {"EveryLineIsTold",
     "{\"arm\":5,\"round\":1,\"ms\":[1]}\n{\"arm\":\"a\",\"round\":1.5,\"ms\":[1]}",
     "x:1: 'arm' is 5\n  accepted: the arm's name as a text\n"
     "x:2: 'round' is 1.5\n  accepted: a whole number from 0 to 1000000000"},
    {"TwoUnits", "{\"arm\":\"a\",\"round\":1,\"ms\":[1],\"ns\":[1]}",
     "x:1: has 'ns' and 'ms'\n  accepted: one of them"},
    {"NoSample", "{\"arm\":\"a\",\"round\":1,\"ms\":[]}",
     "x:1: 'ms' is a list\n  accepted: a list of at least one number"},
    {"NegativeSample", "{\"arm\":\"a\",\"round\":1,\"ms\":[1,-2]}",
     "x:1: 'ms[1]' is -2\n  accepted: a number from 0 to 24 hours"},
    {"WrongUnit", "{\"arm\":\"a\",\"round\":1,\"ms\":[123456789]}",
     "x:1: 'ms[0]' is 123456789\n  accepted: a number from 0 to 24 hours"},
    {"NegativeErrors", "{\"arm\":\"a\",\"round\":1,\"errors\":-1,\"ms\":[1]}",
     "x:1: 'errors' is -1\n  accepted: a whole number from 0 to 2147483647"},
    {"UnknownArms", "{\"arm\":\"old\",\"round\":1,\"ms\":[1]}\n",
     "x: has no arm 'baseline'\n  detail: its arms are 'old'\n"
     "  try: say which is which with --baseline, --candidate and --control"},
    {"SecondProcess",
     "{\"arm\":\"baseline\",\"round\":1,\"ms\":[1]}\n{\"arm\":\"candidate\",\"round\":1,\"ms\":[1]}"
     "\n"
     "{\"arm\":\"baseline\",\"round\":1,\"ms\":[2]}\n",
     "x:3: arm 'baseline' of round 1 is there a second time\n"
     "  accepted: one process an arm and round; the first is x:1"},
    {"NoColumns", "a,b\n1,2\n",
     "x:1: has no column 'process'\n  accepted: the number of the process that took the pair\n"
     "x:1: has no column for arm 'baseline'\n  accepted: 'baseline_ns', 'baseline_us' or "
     "'baseline_ms'; other names by --baseline and --candidate\n"
     "x:1: has no column for arm 'candidate'\n  accepted: 'candidate_ns', 'candidate_us' or "
     "'candidate_ms'; other names by --baseline and --candidate"},
    {"BadCells",
     "process,first,baseline_ns,candidate_ns\n-1,both,x,nan\n1,baseline,1\n1,baseline,1,2\n",
     "x:2: 'process' is '-1'\n  accepted: a whole number from 0 to 2147483647\n"
     "x:2: 'first' is 'both'\n  accepted: 'baseline' or 'candidate'\n"
     "x:2: 'baseline_ns' is 'x'\n  accepted: a number from 0 to 24 hours\n"
     "x:2: 'candidate_ns' is 'nan'\n  accepted: a number from 0 to 24 hours\n"
     "x:3: has 3 cells\n  accepted: 4, as the first line has"},
    {"HeaderOnly", "process,baseline_ns,candidate_ns\n", "x: has no line with samples"},
};

INSTANTIATE_TEST_SUITE_P(Import, BadFile, testing::ValuesIn(kRefused),
                         [](const testing::TestParamInfo<Refused>& test) {
                           return std::string(test.param.name);
                         });

TEST(Import, SaysWhichFormsItKnows) {
  EXPECT_EQ(ErrorOf({{"x", "hello\n"}}), absl::StrCat("x:1: is in no known form", kForms));
  EXPECT_EQ(ErrorOf({{"x", " \n"}}), absl::StrCat("x: is empty", kForms));
}

TEST(Import, RefusesFilesOfTwoForms) {
  EXPECT_EQ(ErrorOf({{"a", kRounds}, {"b", kPairs}}),
            "b: has pairs where 'a' has rounds\n  try: analyse them one by one");
}

TEST(Import, RefusesAProcessThatIsInTwoFiles) {
  EXPECT_EQ(
      ErrorOf({{"a", kPairs}, {"b", kPairs}}),
      "b:2: process 4 is another one in 'a'\n  accepted: a number of its own for each process");
}

TEST(Import, RefusesWarmUpWithoutARest) {
  EXPECT_THAT(ErrorOf({{"a", kRounds}}, {.skip = 3}),
              HasSubstr("a:1: has 3 samples, all skipped as warm-up\n"
                        "  accepted: more samples than --skip 3"));
  EXPECT_THAT(ErrorOf({{"a", kPairs}}, {.skip = 2}),
              HasSubstr("a:3: process 4 ends with 2 pairs, all skipped as warm-up\n"
                        "  accepted: more pairs than --skip 2"));
}

TEST(Import, RefusesArmsThatNobodyNamed) {
  const std::string other = "{\"arm\":\"v3\",\"round\":7,\"ms\":[1]}\n";
  EXPECT_EQ(ErrorOf({{"a", absl::StrCat(kRounds, other)}}),
            "a: arm 'v3' is none of baseline, candidate\n"
            "  detail: its arms are 'baseline', 'candidate', 'v3'\n"
            "  try: name it with --control, or leave its lines out");
  EXPECT_THAT(ErrorOf({{"a", kRounds}}, {.candidate = "baseline"}),
              HasSubstr("two of baseline, control and candidate are the same arm"));
}

TEST(Import, TellsABoundedNumberOfErrors) {
  std::string text;
  for (int i = 0; i < 30; ++i) absl::StrAppend(&text, "{\"round\":1,\"arm\":\"a\"}\n");
  EXPECT_THAT(ErrorOf({{"x", text}}), testing::EndsWith("\n10 more errors"));
}

}  // namespace
}  // namespace tare::coordinator
