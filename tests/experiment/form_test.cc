// What ReadExperiment says about files whose form is wrong: one table of text and exact message.

#include <ostream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/experiment/experiment_text.h"

namespace tare::coordinator {
namespace {

struct Refused {
  const char* name;
  const char* beginning;  // kMinimal, or empty where `yaml` is the whole file
  const char* yaml;
  const char* error;

  // So that the names of the tests do not contain addresses.
  friend std::ostream& operator<<(std::ostream& out, const Refused& refused) {
    return out << refused.name;
  }
};

class Form : public testing::TestWithParam<Refused> {};

TEST_P(Form, IsRefusedWithPlaceAndReason) {
  EXPECT_EQ(ErrorOf(absl::StrCat(GetParam().beginning, GetParam().yaml)), GetParam().error);
}

std::string NameOf(const testing::TestParamInfo<Refused>& info) { return info.param.name; }

constexpr Refused kYaml[] = {
    Refused{"Syntax", "", "name: [x\n",
            "x.yaml:2:1: not readable as YAML: end of sequence flow not found"},
    Refused{"DuplicateKey", kMinimal, "gates: off\ndesign: {}\ngates: strict\n",
            "x.yaml:6:1: key 'gates' is written twice\n"
            "  detail: first in line 4\n"
            "  try: remove one of the two"},
    Refused{"Alias", kMinimal, "design: &d { sets: 5 }\nchecks: *d\n",
            "x.yaml:4:9: anchor '&d' is not read\n"
            "  detail: anchors and aliases hide what an arm really has\n"
            "  try: write the value out\n"
            "x.yaml:5:9: alias '*d' is not read\n"
            "  detail: anchors and aliases hide what an arm really has\n"
            "  try: write the value out"},
    Refused{"CyclicAlias", kMinimal, "study: &x [*x]\n",
            "x.yaml:4:8: anchor '&x' is not read\n"
            "  detail: anchors and aliases hide what an arm really has\n"
            "  try: write the value out\n"
            "x.yaml:4:12: alias '*x' is not read\n"
            "  detail: anchors and aliases hide what an arm really has\n"
            "  try: write the value out"},
    Refused{"UnknownAlias", kMinimal, "checks: *d\n",
            "x.yaml:4:9: not readable as YAML: the referenced anchor is not defined"},
    Refused{"MergeKey", kMinimal, "design: { <<: { sets: 5 } }\n",
            "x.yaml:4:11: merge key '<<' is not read\n"
            "  detail: merged keys hide what an arm really has\n"
            "  try: write the keys out"},
    Refused{"Tag", kMinimal, "question: !!str 5\n",
            "x.yaml:4:11: tag '!!str' is not read\n"
            "  detail: the key decides the type\n"
            "  try: remove the tag; quote what is meant as text"},
    Refused{"BareTag", kMinimal, "question: ! 5\n",
            "x.yaml:4:11: tag '!' is not read\n"
            "  detail: the key decides the type\n"
            "  try: remove the tag; quote what is meant as text"},
    Refused{"SecondDocument", kMinimal, "---\nname: [\n",
            "x.yaml:4:1: a second document begins here\n"
            "  detail: an experiment file has one document\n"
            "  try: remove the '---', or put the second experiment into a file of its own"},
    Refused{"NotUtf8", kMinimal, "question: caf\xE9\n",
            "x.yaml:4:14: byte 0xe9 is not text\n"
            "  detail: accepted: UTF-8 without control characters\n"
            "  try: save the file as UTF-8"},
    Refused{"Overlong", "", "name: \xC0\xAF\n",
            "x.yaml:1:7: byte 0xc0 is not text\n"
            "  detail: accepted: UTF-8 without control characters\n"
            "  try: save the file as UTF-8"},
    Refused{"MissingSpace", kMinimal, "design: {sets:5}\n",
            "x.yaml:4:10: design: unknown key 'sets:5'\n"
            "  detail: known keys: pairing, processes, rounds, sets, warmup, washout, order, pin, "
            "iterations, scope\n"
            "  try: put a space after the ':'"},
    Refused{"MissingSpaceInConfig", "",
            "name: x\nworkload: { command: c, config: {plans:5} }\narms: { a: , b: }\n",
            "x.yaml:2:34: workload.config.plans:5: 'plans:5' is not a name\n"
            "  detail: accepted: letters, digits, '-', '_' and '.', starting with a letter, at "
            "most 64\n"
            "  try: put a space after the ':'"},
    Refused{"MissingSpaceInBlock", kMinimal, "design:\n  sets:5\n",
            "x.yaml:5:3: design: needs a mapping, found 'sets:5'\n"
            "  detail: accepted: a mapping with the keys pairing, processes, rounds, sets, warmup, "
            "washout, order, pin, iterations, scope\n"
            "  try: put a space after the ':'"},
    Refused{"KeyThatIsAList", kMinimal, "? [a]\n: 5\n",
            "x.yaml:4:3: a key that is not text is not read\n"
            "  detail: accepted: a word"},
    Refused{"TooDeep", kMinimal, "question: [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]\n",
            "x.yaml:4:11: question: needs a single value, found a list\n"
            "  detail: accepted: text\n"
            "x.yaml:4:26: nested too deeply\n"
            "  detail: accepted: at most 16 levels"},
    Refused{"Empty", "", "",
            "x.yaml:1:1: key 'name' is missing\n"
            "x.yaml:1:1: key 'workload' is missing\n"
            "x.yaml:1:1: key 'arms' is missing"},
    Refused{"NotAMapping", "", "- name: x\n",
            "x.yaml:1:1: needs a mapping, found a list\n"
            "  detail: accepted: a mapping with the keys name, question, purpose, services, "
            "workload, arms, design, checks, sweep, compare, gates, seed, study, explain, "
            "threshold, metrics, stop, confirm, ladder"}};
INSTANTIATE_TEST_SUITE_P(Yaml, Form, testing::ValuesIn(kYaml), NameOf);

constexpr Refused kKeys[] = {
    Refused{
        "Misspelt", kMinimal, "desing: {}\n",
        "x.yaml:4:1: unknown key 'desing'\n"
        "  detail: known keys: name, question, purpose, services, workload, arms, design, "
        "checks, sweep, compare, gates, seed, study, explain, threshold, metrics, stop, confirm, "
        "ladder\n"
        "  try: write 'design'"},
    Refused{"UnlikeAny", kMinimal, "checks: { temperature: 5 }\n",
            "x.yaml:4:11: checks: unknown key 'temperature'\n"
            "  detail: known keys: control, known_delay"},
    Refused{"UnitInTheKey", kMinimal, "checks: { known_delay_ns: 5us }\n",
            "x.yaml:4:11: checks: unknown key 'known_delay_ns'\n"
            "  detail: known keys: control, known_delay\n"
            "  try: write 'known_delay'"},
    Refused{"NameOfANamedThing", kMinimal, "services: { db: { name: x, postgres: } }\n",
            "x.yaml:4:19: services.db: unknown key 'name'\n"
            "  detail: known keys: postgres, proxy, server"},
    Refused{"BadName", "", "name: x\nworkload: { command: c }\narms: { 1st: {}, b: {} }\n",
            "x.yaml:3:9: arms.1st: '1st' is not a name\n"
            "  detail: accepted: letters, digits, '-', '_' and '.', starting with a letter, at "
            "most 64"},
    Refused{"MissingInside", "",
            "name: x\nworkload: {}\narms: { a: {} }\ncompare: [{ baseline: a }]\n",
            "x.yaml:2:11: workload: key 'command' is missing\n"
            "x.yaml:4:11: compare[0]: key 'candidate' is missing"},
    Refused{"MissingInNothing", "", "name: x\nworkload:\narms: { a: {} }\n",
            "x.yaml:2:1: workload: key 'command' is missing"},
    Refused{"ServiceOfNoKind", kMinimal, "services: { db: {} }\n",
            "x.yaml:4:17: services.db: does not say what it is\n"
            "  detail: accepted: one of postgres, proxy, server"}};
INSTANTIATE_TEST_SUITE_P(Keys, Form, testing::ValuesIn(kKeys), NameOf);

constexpr Refused kValues[] = {
    Refused{"EmptyValueIsAtItsKey", kMinimal, "design:\n  sets:\n  warmup: 5\n",
            "x.yaml:5:3: design.sets: has no value\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"WrittenNullIsAtItself", kMinimal, "design: { sets: null }\n",
            "x.yaml:4:17: design.sets: has no value\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"Quoted", kMinimal, "design: { sets: \"300\" }\n",
            "x.yaml:4:17: design.sets: '300' is text because it is quoted\n"
            "  detail: accepted: a whole number from 1 to 1000000\n"
            "  try: remove the quotes"},
    Refused{"Octal", kMinimal, "design: { sets: 010 }\n",
            "x.yaml:4:17: design.sets: '010' is not plain: a sign '+' or a leading zero is read "
            "differently elsewhere\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"Hex", kMinimal, "design: { sets: 0x10 }\n",
            "x.yaml:4:17: design.sets: '0x10' is not written in decimal digits\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"Real", kMinimal, "design: { sets: 3.5 }\n",
            "x.yaml:4:17: design.sets: '3.5' is not a whole number\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"Nan", kMinimal, "design: { sets: .nan }\n",
            "x.yaml:4:17: design.sets: '.nan' is not a finite number\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"Low", kMinimal, "design: { sets: 0 }\n",
            "x.yaml:4:17: design.sets: '0' is out of bounds\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"Huge", kMinimal, "design: { sets: 99999999999999999999 }\n",
            "x.yaml:4:17: design.sets: '99999999999999999999' is out of bounds\n"
            "  detail: accepted: a whole number from 1 to 1000000"},
    Refused{"NegativeSeed", kMinimal, "seed: -1\n",
            "x.yaml:4:7: seed: '-1' is out of bounds\n"
            "  detail: accepted: a whole number of at least 0"},
    Refused{"SeedTooLarge", kMinimal, "seed: 18446744073709551616\n",
            "x.yaml:4:7: seed: '18446744073709551616' is out of bounds\n"
            "  detail: accepted: a whole number of at least 0"},
    Refused{"NoUnit", kMinimal, "checks: { known_delay: 25 }\n",
            "x.yaml:4:24: checks.known_delay: '25' is not a duration\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min, or auto, or off\n"
            "  try: add the unit"},
    Refused{"UnknownUnit", kMinimal, "checks: { known_delay: 25sec }\n",
            "x.yaml:4:24: checks.known_delay: '25sec' is not a duration\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min, or auto, or off"},
    Refused{"DurationOutOfBounds", kMinimal, "checks: { known_delay: 2min }\n",
            "x.yaml:4:24: checks.known_delay: '2min' is out of bounds\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min, or auto, or off"},
    Refused{"MisspeltWord", kMinimal, "design: { order: randm }\n",
            "x.yaml:4:18: design.order: unknown word 'randm'\n"
            "  detail: accepted: random, balanced, fixed, blocked\n"
            "  try: write 'random'"},
    Refused{"EnumConstant", kMinimal, "design: { pairing: PAIRING_ROUNDS }\n",
            "x.yaml:4:20: design.pairing: unknown word 'PAIRING_ROUNDS'\n"
            "  detail: accepted: in-process, rounds, lockstep"},
    Refused{"YesIsNotOn", kMinimal, "checks: { control: yes }\n",
            "x.yaml:4:20: checks.control: unknown word 'yes'\n"
            "  detail: accepted: on, off"},
    Refused{"ListForValue", kMinimal, "gates: [off]\n",
            "x.yaml:4:8: gates: needs a single value, found a list\n"
            "  detail: accepted: normal, strict, off"},
    Refused{"MappingForValue", kMinimal, "gates: { off: }\n",
            "x.yaml:4:8: gates: needs a single value, found a mapping\n"
            "  detail: accepted: normal, strict, off"},
    Refused{"ValueForList", kMinimal, "compare: one\n",
            "x.yaml:4:10: compare: needs a list, found 'one'\n"
            "  detail: accepted: a list; each item a mapping"},
    Refused{"ListForNames", kMinimal, "services: [db]\n",
            "x.yaml:4:11: services: needs a mapping, found a list\n"
            "  detail: accepted: a mapping of names"},
    Refused{"CommandLine", "", "name: x\nworkload: { command: sleep 1 }\narms: { a: {} }\n",
            "x.yaml:2:22: workload.command: 'sleep 1' is one word with spaces\n"
            "  detail: nothing splits it into words\n"
            "  try: write a list: [sleep, 1]"},
    Refused{"EmptyList", "", "name: x\nworkload: { command: [] }\narms: {}\n",
            "x.yaml:2:13: workload.command: has 0 entries\n"
            "  detail: accepted: 1 or more\n"
            "x.yaml:3:1: arms: has 0 entries\n"
            "  detail: accepted: 1 to 16"},
    Refused{"EmptyListItem", kMinimal, "study:\n  -\n",
            "x.yaml:5:3: study[0]: has no value\n"
            "  detail: accepted: random, balanced, fixed, blocked"}};
INSTANTIATE_TEST_SUITE_P(Values, Form, testing::ValuesIn(kValues), NameOf);

constexpr Refused kConfig[] = {
    Refused{"Octal", kMinimal, "sweep: { work_us: [010] }\n",
            "x.yaml:4:20: sweep.work_us[0]: '010' is not plain: a sign '+' or a leading zero is "
            "read differently elsewhere\n"
            "  try: write a plain decimal number, or quote it where text is meant"},
    Refused{"Infinite", kMinimal, "sweep: { work_us: [-.inf] }\n",
            "x.yaml:4:20: sweep.work_us[0]: '-.inf' is not a finite number\n"
            "  try: write a plain decimal number, or quote it where text is meant"},
    Refused{"Large", kMinimal, "sweep: { work_us: [9223372036854775808] }\n",
            "x.yaml:4:20: sweep.work_us[0]: '9223372036854775808' does not fit in 64 bits\n"
            "  try: write a plain decimal number, or quote it where text is meant"},
    Refused{"Mapping", kMinimal, "sweep: { work_us: [{ a: 5 }] }\n",
            "x.yaml:4:20: sweep.work_us[0]: needs a single value, found a mapping\n"
            "  detail: accepted: a number, true, false, text, or a list of these"},
    Refused{"Empty", kMinimal, "sweep: { work_us: [[1, ~]] }\n",
            "x.yaml:4:24: sweep.work_us[0]: has no value\n"
            "  detail: accepted: a list of numbers and text"}};
INSTANTIATE_TEST_SUITE_P(Config, Form, testing::ValuesIn(kConfig), NameOf);

TEST(FormOfAFile, TellsAllViolationsInTheOrderOfTheFile) {
  EXPECT_EQ(
      ErrorOf("gates: of\n"
              "name: 5x\n"
              "arms: { a: { config: { k: 0x1 } } }\n"
              "design: { sets: 0 }\n"),
      "x.yaml:1:1: key 'workload' is missing\n"
      "x.yaml:1:8: gates: unknown word 'of'\n"
      "  detail: accepted: normal, strict, off\n"
      "  try: write 'off'\n"
      "x.yaml:2:7: name: '5x' is not a name\n"
      "  detail: accepted: letters, digits, '-', '_' and '.', starting with a letter, at most "
      "64\n"
      "x.yaml:3:27: arms.a.config.k: '0x1' is not written in decimal digits\n"
      "  try: write a plain decimal number, or quote it where text is meant\n"
      "x.yaml:4:17: design.sets: '0' is out of bounds\n"
      "  detail: accepted: a whole number from 1 to 1000000");
}

TEST(FormOfAFile, SurvivesAnyDepth) {
  EXPECT_THAT(ErrorOf(std::string(10'000, '[')), testing::HasSubstr("nested too deeply"));
}

TEST(FormOfAFile, RefusesControlCharacters) {
  EXPECT_EQ(ErrorOf(absl::string_view("name: a\0b\n", 10)),
            "x.yaml:1:8: byte 0x00 is not text\n"
            "  detail: accepted: UTF-8 without control characters\n"
            "  try: save the file as UTF-8");
}

TEST(FormOfAFile, RefusesMoreThanItsBound) {
  EXPECT_EQ(ErrorOf(std::string(kExperimentBytesMax + 1, '#')),
            "x.yaml:1:1: the file has 1 MiB\n"
            "  detail: accepted: at most 1 MiB");
}

TEST(FormOfAFile, QuotesTheBeginningOfLongValues) {
  EXPECT_EQ(ErrorOf(Minimal(absl::StrCat("gates: ", std::string(200, 'y'), "\n"))),
            absl::StrCat("x.yaml:4:8: gates: unknown word '", std::string(60, 'y'), "…'\n",
                         "  detail: accepted: normal, strict, off"));
}

TEST(FormOfAFile, CountsTheViolationsThatItDoesNotShow) {
  std::string yaml = Minimal("");
  for (int i = 0; i < 60; ++i) absl::StrAppend(&yaml, "unknown", i, ": 1\n");
  const std::string error = ErrorOf(yaml);
  EXPECT_NE(error.find("unknown49"), std::string::npos);
  EXPECT_EQ(error.find("unknown50"), std::string::npos);
  EXPECT_NE(error.find("\nx.yaml: 10 more violations"), std::string::npos);
}

}  // namespace
}  // namespace tare::coordinator
