// What ReadExperiment says about values that are well formed and make no sense together.

#include <ostream>
#include <string>

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

class Sense : public testing::TestWithParam<Refused> {};

TEST_P(Sense, IsRefusedWithPlaceAndReason) {
  EXPECT_EQ(ErrorOf(absl::StrCat(GetParam().beginning, GetParam().yaml)), GetParam().error);
}

std::string NameOf(const testing::TestParamInfo<Refused>& info) { return info.param.name; }

constexpr Refused kReferences[] = {
    Refused{"NoSuchArm", kMinimal, "compare: [{ baseline: one, candidate: tow }]\n",
            "x.yaml:4:39: compare[0].candidate: there is no arm 'tow'\n"
            "  detail: arms: one, two\n"
            "  try: write 'two'"},
    Refused{"ArmWithItself", kMinimal, "compare: [{ baseline: one, candidate: one }]\n",
            "x.yaml:4:39: compare[0].candidate: is the baseline itself\n"
            "  detail: the comparison of an arm with itself is made by 'checks: control'"},
    Refused{"Twice", kMinimal,
            "compare:\n  - { baseline: one, candidate: two }\n"
            "  - { baseline: one, candidate: two }\n",
            "x.yaml:6:5: compare[1]: is the same as an earlier comparison"},
    Refused{"NoSuchService", "",
            "name: x\nworkload: { command: c, uses: [bd] }\narms: { a: {}, b: {} }\n"
            "services: { db: { postgres: } }\n",
            "x.yaml:2:32: workload.uses[0]: there is no service 'bd'\n"
            "  detail: services: db\n"
            "  try: write 'db'"},
    Refused{"NoServices", "",
            "name: x\nworkload: { command: c, uses: db }\narms: { a: {}, b: {} }\n",
            "x.yaml:2:31: workload.uses[0]: there is no service 'db'\n"
            "  detail: the experiment has no services"},
    Refused{"ReservedArm", "",
            "name: x\nworkload: { command: c }\narms:\n  base: {}\n  control: {}\n",
            "x.yaml:5:3: arms.control: is a name that tare gives to an arm of its own\n"
            "  detail: control: the baseline measured again; known-delay: the baseline plus a "
            "known wait\n"
            "  try: name the arm by what is different about it"},
    Refused{"LoneArmWithoutControl", "",
            "name: x\nworkload: { command: c }\narms: { a: {} }\nchecks: { control: off }\n",
            "x.yaml:4:11: checks.control: one arm has nothing else to be compared with\n"
            "  detail: the control is that arm measured again\n"
            "  try: add a second arm, or set 'control: on'"}};
INSTANTIATE_TEST_SUITE_P(References, Sense, testing::ValuesIn(kReferences), NameOf);

constexpr Refused kDesign[] = {
    Refused{"RoundsInProcess", kMinimal, "design: { rounds: 5 }\n",
            "x.yaml:4:11: design.rounds: does not go with 'pairing: in-process'\n"
            "  detail: in process, each round is one process of 'processes'\n"
            "  try: write 'processes', or set 'pairing: rounds'"},
    Refused{"ProcessesInRounds", kMinimal, "design: { pairing: rounds, processes: 5 }\n",
            "x.yaml:4:28: design.processes: does not go with 'pairing: rounds'\n"
            "  detail: with 'pairing: rounds' the number of processes is 'rounds'\n"
            "  try: write 'rounds'"},
    Refused{"BalancedInRounds", kMinimal, "design: { pairing: rounds, order: balanced }\n",
            "x.yaml:4:35: design.order: 'balanced' needs 'pairing: in-process'\n"
            "  detail: it orders the samples within a process\n"
            "  try: write 'random'"},
    Refused{"WashoutInRounds", kMinimal, "design: { pairing: rounds, washout: 1 }\n",
            "x.yaml:4:28: design.washout: does not go with 'pairing: rounds'\n"
            "  detail: with 'pairing: rounds' a process runs one arm only\n"
            "  try: remove it"},
    Refused{"KnownDelayInRounds", kMinimal,
            "design: { pairing: rounds }\nchecks: { known_delay: auto }\n",
            "x.yaml:5:24: checks.known_delay: needs 'pairing: in-process'\n"
            "  detail: nothing can delay the operations of another program by a known time\n"
            "  try: write 'off'"},
    Refused{"CommandInProcess", "",
            "name: x\nworkload: { command: c }\narms:\n  a: { command: d }\n  b: {}\n",
            "x.yaml:4:8: arms.a.command: does not go with 'pairing: in-process'\n"
            "  detail: in process, one program hosts all arms\n"
            "  try: tell the arms apart by 'config', or set 'pairing: lockstep'"},
    Refused{"PinWord", kMinimal, "design: { pin: samecore }\n",
            "x.yaml:4:16: design.pin[0]: 'samecore' is not a place to run\n"
            "  detail: accepted: none, same-core, other-core, or CPU numbers from 0 to 8191\n"
            "  try: write 'same-core'"},
    Refused{"PinWordAmongNumbers", kMinimal, "design: { pin: [1, none, 1] }\n",
            "x.yaml:4:20: design.pin[1]: 'none' stands alone or not at all\n"
            "  detail: accepted: none, same-core, other-core, or CPU numbers from 0 to 8191\n"
            "x.yaml:4:26: design.pin[2]: CPU 1 is listed twice"},
    Refused{"StudyOfRandom", kMinimal, "study: random\n",
            "x.yaml:4:8: study[0]: this order has no bias to study\n"
            "  detail: accepted: fixed, blocked"},
    Refused{"DsnWithVersion", kMinimal,
            "services: { db: { postgres: { dsn: 'host=x', version: 15 } } }\n",
            "x.yaml:4:46: services.db.postgres.version: does not go with 'dsn'\n"
            "  detail: an existing server has its own version, settings and lifetime\n"
            "  try: remove 'version', or 'dsn' for a private server"},
    Refused{"EmptyDsn", kMinimal, "services: { db: { postgres: { dsn: '' } } }\n",
            "x.yaml:4:36: services.db.postgres.dsn: is empty\n"
            "  detail: accepted: a libpq connection string\n"
            "  try: remove it for a private server"}};
INSTANTIATE_TEST_SUITE_P(Design, Sense, testing::ValuesIn(kDesign), NameOf);

constexpr Refused kSweep[] = {
    Refused{"NothingToVary", kMinimal, "sweep: { work_su: [1, 2] }\n",
            "x.yaml:4:10: sweep.work_su: there is nothing to vary\n"
            "  detail: neither the workload nor every arm has a setting 'work_su'\n"
            "  try: write 'work_us'"},
    Refused{"SettingOfOneArm", "",
            "name: x\nworkload: { command: c }\narms: { a: { config: { n: 1 } }, b: {} }\n"
            "sweep: { n: [1, 2] }\n",
            "x.yaml:4:10: sweep.n: there is nothing to vary\n"
            "  detail: neither the workload nor every arm has a setting 'n'\n"
            "  try: add 'n' to 'workload: config:' with its usual value"},
    Refused{"ErasesTheDifference", "",
            "name: x\nworkload: { command: c }\n"
            "arms: { a: { config: { n: 1 } }, b: { config: { n: 2 } } }\n"
            "sweep: { n: [1, 2] }\n",
            "x.yaml:4:10: sweep.n: would replace what the arms differ in\n"
            "  detail: arms set 'n' themselves, and a level replaces that\n"
            "  try: remove 'n' from the arms or from 'sweep'"},
    Refused{"SameLevel", kMinimal, "sweep: { work_us: [1, 2, 1] }\n",
            "x.yaml:4:26: sweep.work_us[2]: is the same as an earlier level"},
    Refused{"MixedLevels", kMinimal, "sweep: { work_us: [1, 2.5] }\n",
            "x.yaml:4:23: sweep.work_us[1]: is of another type than the first level\n"
            "  detail: accepted: whole numbers, or decimals, or flags, or texts, or lists\n"
            "  try: write all levels alike: 1.0 and 2.5, not 1 and 2.5"},
    Refused{"NameWithAPoint", kMinimal, "sweep: { wire.delay: [0us] }\n",
            "x.yaml:4:10: sweep.'wire.delay': there is nothing to vary\n"
            "  detail: neither the workload nor every arm has a setting 'wire.delay'\n"
            "  try: add 'wire.delay' to 'workload: config:' with its usual value"}};
INSTANTIATE_TEST_SUITE_P(Sweep, Sense, testing::ValuesIn(kSweep), NameOf);

TEST(SenseOfAFile, DoesNotComplainAboutWhatFollowsFromAnUnreadablePairing) {
  EXPECT_EQ(ErrorOf(Minimal("design: { pairing: round, rounds: 5 }\n")),
            "x.yaml:4:20: design.pairing: unknown word 'round'\n"
            "  detail: accepted: in-process, rounds, lockstep\n"
            "  try: write 'rounds'");
}

}  // namespace
}  // namespace tare::coordinator
