// Ladders: how they are read, and what ReadExperiment says when one makes no sense.

#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/experiment/experiment_text.h"

namespace tare::coordinator {
namespace {

constexpr char kOneArm[] = "name: x\nworkload: { command: prog }\narms: { own: }\n";

TEST(Ladder, IsReadWithItsDefaults) {
  auto experiment =
      ReadExperiment(absl::StrCat(kOneArm, "ladder: { delays: [0us, 5us, 0.5ms] }\n"), "x.yaml");
  ASSERT_TRUE(experiment.ok()) << FormatError(experiment.status());
  ApplyDefaults(&*experiment);
  EXPECT_EQ(experiment->ladder().ShortDebugString(),
            "arm: \"own\" delays_ns: 0 delays_ns: 5000 delays_ns: 500000 at: DELAY_PLACE_END "
            "passes: 1");
  EXPECT_EQ(experiment->checks().control(), v1::SWITCH_OFF);
  EXPECT_EQ(experiment->checks().known_delay_ns(), 0);
}

struct Case {
  std::string name;
  std::string text;  // after kOneArm
  std::string what;  // part of the error
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class WrongLadder : public testing::TestWithParam<Case> {};

TEST_P(WrongLadder, IsToldWithItsPlace) {
  const Case& test = GetParam();
  const std::string error = ErrorOf(absl::StrCat(kOneArm, test.text));
  EXPECT_NE(error.find(test.what), std::string::npos) << error;
}

constexpr char kGood[] = "ladder: { delays: [0us, 5us, 10us] }\n";

INSTANTIATE_TEST_SUITE_P(
    All, WrongLadder,
    testing::Values(
        Case{"NoDelays", "ladder: { at: end }\n", "key 'delays' is missing"},
        Case{"TwoRungs", "ladder: { delays: [0us, 5us] }\n", "ladder.delays: has 2 rungs"},
        Case{"NoZero", "ladder: { delays: [1us, 5us, 9us] }\n", "ladder.delays[0]: is not 0us"},
        Case{"Descending", "ladder: { delays: [0us, 9us, 5us] }\n",
             "x.yaml:4:30: ladder.delays[2]: is not longer than the one before"},
        Case{"Twice", "ladder: { delays: [0us, 5us, 5us] }\n", "is not longer"},
        Case{"NoUnit", "ladder: { delays: [0us, 5, 10] }\n", "add the unit"},
        Case{"TooLong", "ladder: { delays: [0us, 5us, 2m] }\n", "ladder.delays[2]"},
        Case{"OtherArm", "ladder: { arm: owm, delays: [0us, 5us, 9us] }\n", "write 'own'"},
        Case{"UnknownPlace", "ladder: { delays: [0us, 5us, 9us], at: ent }\n", "write 'end'"},
        Case{"WithSweep", absl::StrCat(kGood, "sweep: { size: [1, 2] }\n"),
             "sweep: does not go with 'ladder'"},
        Case{"WithChecks", absl::StrCat(kGood, "checks: { control: on }\n"),
             "checks: does not go with 'ladder'"},
        Case{"WithThreshold", absl::StrCat(kGood, "threshold: { relative: 5% }\n"),
             "threshold: does not go with 'ladder'"},
        Case{"InRounds", absl::StrCat(kGood, "design: { pairing: rounds }\n"),
             "design.pairing: does not go with 'ladder'"},
        Case{"Blocked", absl::StrCat(kGood, "design: { order: blocked }\n"),
             "design.order: does not go with 'ladder'"}),
    [](const auto& wrong) { return wrong.param.name; });

TEST(Ladder, MeasuresOneArm) {
  const std::string error = ErrorOf(
      absl::StrCat("name: x\nworkload: { command: prog }\narms: { own: , other: }\n", kGood));
  EXPECT_NE(error.find("arms: are more than one"), std::string::npos) << error;
}

}  // namespace
}  // namespace tare::coordinator
