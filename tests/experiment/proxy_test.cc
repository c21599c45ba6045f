// Services of kind proxy: how they are read, and what ReadExperiment says when they make no sense.

#include <ostream>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/experiment/experiment_text.h"

namespace tare::coordinator {
namespace {

// Three lines with a server and, as `proxy`, a proxy in front of it; what is added begins in
// line 4.
std::string WithProxy(absl::string_view proxy, absl::string_view more) {
  return absl::StrCat(
      "name: x\nworkload: { command: c, config: { size: 1 } }\n",
      "services: { db: { postgres: }, wire: { proxy: ", proxy, " } }\n",
      absl::StrContains(more, "arms:") ? "" : "arms: { one: { uses: db }, two: { uses: wire } }\n",
      more);
}

TEST(Proxy, IsReadWithAllItsKeys) {
  auto experiment = ReadExperiment(
      WithProxy("{ to: db, delay: 1ms, law: normal, spread: 50us, direction: both, "
                "bytes_per_second: 1000000, record: full }",
                "sweep: { wire.delay: [0, 250us, '1ms'], size: [1, 2] }\nexplain: 6.16ms\n"),
      "x.yaml");
  ASSERT_TRUE(experiment.ok()) << FormatError(experiment.status());
  EXPECT_EQ(experiment->services(1).ShortDebugString(),
            "name: \"wire\" proxy { to: \"db\" delay_ns: 1000000 law: DELAY_LAW_NORMAL "
            "spread_ns: 50000 direction: DIRECTION_BOTH bytes_per_second: 1000000 "
            "record: RECORDING_FULL }");
  EXPECT_EQ(experiment->arms(1).uses(0), "wire");
  EXPECT_EQ(experiment->explain_ns(), 6'160'000);
  EXPECT_EQ(experiment->sweep(0).name(), "wire.delay");
}

TEST(Proxy, HasTheDefaultsThatTheProtoStates) {
  auto experiment = ReadExperiment(WithProxy("{ to: db }", ""), "x.yaml");
  ASSERT_TRUE(experiment.ok()) << FormatError(experiment.status());
  ApplyDefaults(&*experiment);
  EXPECT_EQ(experiment->services(1).proxy().ShortDebugString(),
            "to: \"db\" delay_ns: 0 law: DELAY_LAW_FIXED direction: DIRECTION_TO_CLIENT "
            "record: RECORDING_SUMMARY");
  const v1::Experiment once = *experiment;
  ApplyDefaults(&*experiment);
  EXPECT_EQ(once.SerializeAsString(), experiment->SerializeAsString());
}

TEST(Proxy, OfATraceHasNoDelayByDefault) {
  auto experiment = ReadExperiment(WithProxy("{ to: db, law: trace, trace: f }", ""), "x.yaml");
  ASSERT_TRUE(experiment.ok()) << FormatError(experiment.status());
  ApplyDefaults(&*experiment);
  EXPECT_FALSE(experiment->services(1).proxy().has_delay_ns());
}

TEST(Proxy, IsUsedByArmsThatDoNotSayWhatTheyUse) {
  auto experiment = ReadExperiment(
      WithProxy("{ to: db }", "arms: { one: { uses: [wire, db] }, two: }\n"), "x.yaml");
  ASSERT_TRUE(experiment.ok()) << FormatError(experiment.status());
  ApplyDefaults(&*experiment);
  EXPECT_EQ(experiment->arms(0).ShortDebugString(), "name: \"one\" uses: \"wire\" uses: \"db\"");
  EXPECT_EQ(experiment->arms(1).ShortDebugString(), "name: \"two\" uses: \"db\" uses: \"wire\"");
}

struct Refused {
  const char* name;
  const char* proxy;
  const char* more;
  const char* error;

  // So that the names of the tests do not contain addresses.
  friend std::ostream& operator<<(std::ostream& out, const Refused& refused) {
    return out << refused.name;
  }
};

class ProxySense : public testing::TestWithParam<Refused> {};

TEST_P(ProxySense, IsRefusedWithPlaceAndReason) {
  EXPECT_EQ(ErrorOf(WithProxy(GetParam().proxy, GetParam().more)), GetParam().error);
}

std::string NameOf(const testing::TestParamInfo<Refused>& info) { return info.param.name; }

constexpr Refused kKeys[] = {
    Refused{"NoTo", "{ delay: 1ms }", "", "x.yaml:3:47: services.wire.proxy: key 'to' is missing"},
    Refused{"NoSuchService", "{ to: bd }", "",
            "x.yaml:3:53: services.wire.proxy.to: there is no service 'bd'\n"
            "  detail: services: db, wire\n"
            "  try: write 'db'"},
    Refused{"ToItself", "{ to: wire }", "",
            "x.yaml:3:53: services.wire.proxy.to: service 'wire' is a proxy itself\n"
            "  detail: a proxy stands in front of a server\n"
            "  try: name what stands behind it"},
    Refused{"UnknownKey", "{ to: db, dellay: 1ms }", "",
            "x.yaml:3:57: services.wire.proxy: unknown key 'dellay'\n"
            "  detail: known keys: to, delay, law, spread, trace, direction, bytes_per_second, "
            "record\n"
            "  try: write 'delay'"},
    Refused{"DelayWithoutUnit", "{ to: db, delay: 5 }", "",
            "x.yaml:3:64: services.wire.proxy.delay: '5' is not a duration\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min\n"
            "  try: add the unit"},
    Refused{"UnknownLawAlone", "{ to: db, law: unifrom, spread: 1us }", "",
            "x.yaml:3:62: services.wire.proxy.law: unknown word 'unifrom'\n"
            "  detail: accepted: fixed, uniform, normal, pareto, trace\n"
            "  try: write 'uniform'"},
    Refused{"SpreadOfFixed", "{ to: db, delay: 1ms, spread: 1us }", "",
            "x.yaml:3:69: services.wire.proxy.spread: does not go with 'law: fixed'\n"
            "  detail: accepted with the laws uniform, normal, pareto\n"
            "  try: remove it, or set one of these laws"},
    Refused{"NoSpread", "{ to: db, delay: 1ms, law: normal }", "",
            "x.yaml:3:69: services.wire.proxy.law: 'normal' needs 'spread'\n"
            "  detail: uniform: half the width; normal and pareto: the standard deviation\n"
            "  try: add 'spread: 50us'"},
    Refused{"SpreadOfNothing", "{ to: db, delay: 1ms, law: normal, spread: 0 }", "",
            "x.yaml:3:90: services.wire.proxy.spread: is 0\n"
            "  detail: without a spread every delay is the same\n"
            "  try: raise it, or set 'law: fixed'"},
    Refused{
        "SpreadBelowZero", "{ to: db, delay: 10us, law: uniform, spread: 11us }", "",
        "x.yaml:3:92: services.wire.proxy.spread: is more than the delay of 10us\n"
        "  detail: a uniform law draws from delay − spread to delay + spread, which would begin "
        "below 0\n"
        "  try: lower 'spread', or raise 'delay'"},
    Refused{"ParetoOfNothing", "{ to: db, law: pareto, spread: 11us }", "",
            "x.yaml:3:57: services.wire.proxy.law: 'pareto' needs 'delay'\n"
            "  detail: the delay is its mean, which is above 0\n"
            "  try: add 'delay: 1ms'"},
    Refused{"TraceWithoutLaw", "{ to: db, trace: f }", "",
            "x.yaml:3:57: services.wire.proxy.trace: needs 'law: trace'\n"
            "  detail: no other law reads delays from a file\n"
            "  try: set 'law: trace', or remove it"},
    Refused{"LawWithoutTrace", "{ to: db, law: trace }", "",
            "x.yaml:3:57: services.wire.proxy.law: 'trace' needs the file with the delays\n"
            "  detail: one delay a line, such as 250us\n"
            "  try: add 'trace: FILE'"},
    Refused{"TraceWithDelay", "{ to: db, law: trace, trace: '', delay: 1ms }", "",
            "x.yaml:3:76: services.wire.proxy.trace: is empty\n"
            "  detail: accepted: a file with one delay a line, such as 250us\n"
            "x.yaml:3:80: services.wire.proxy.delay: does not go with 'law: trace'\n"
            "  detail: a trace has its delays in its file\n"
            "  try: remove it"}};
INSTANTIATE_TEST_SUITE_P(Keys, ProxySense, testing::ValuesIn(kKeys), NameOf);

constexpr Refused kReferences[] = {
    Refused{"UsesOfAnArm", "{ to: db }", "arms: { one: { uses: [db, wier, db] }, two: }\n",
            "x.yaml:4:27: arms.one.uses[1]: there is no service 'wier'\n"
            "  detail: services: db, wire\n"
            "  try: write 'wire'\n"
            "x.yaml:4:33: arms.one.uses[2]: 'db' is listed twice"},
    Refused{"LevelsThatAreNoDelays", "{ to: db }",
            "sweep: { wire.delay: [1ms, 5, 61s, 1000us, 0.5, xs] }\n",
            "x.yaml:5:28: sweep.'wire.delay'[1]: '5' is not a duration\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min\n"
            "  try: add the unit\n"
            "x.yaml:5:31: sweep.'wire.delay'[2]: '61s' is out of bounds\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min\n"
            "x.yaml:5:36: sweep.'wire.delay'[3]: is the same as an earlier level\n"
            "x.yaml:5:44: sweep.'wire.delay'[4]: is not a duration\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min\n"
            "x.yaml:5:49: sweep.'wire.delay'[5]: 'xs' is not a duration\n"
            "  detail: accepted: a duration such as 250us, from 0 to 1min"},
    Refused{
        "LevelBelowTheSpread", "{ to: db, law: uniform, spread: 50us }",
        "sweep: { wire.delay: [100us, 0] }\n",
        "x.yaml:5:30: sweep.'wire.delay'[1]: is less than the spread of 50us of service "
        "'wire'\n"
        "  detail: a uniform law draws from delay − spread to delay + spread, which would begin "
        "below 0\n"
        "  try: remove this level, or lower 'spread'"},
    Refused{"LevelWithoutMean", "{ to: db, law: pareto, spread: 50us }",
            "sweep: { wire.delay: [100us, 0] }\n",
            "x.yaml:5:30: sweep.'wire.delay'[1]: does not go with 'law: pareto'\n"
            "  detail: the delay is its mean, which is above 0\n"
            "  try: remove this level"},
    Refused{"LevelsOfATrace", "{ to: db, law: trace, trace: f }", "sweep: { wire.delay: [1ms] }\n",
            "x.yaml:5:10: sweep.'wire.delay': does not go with 'law: trace'\n"
            "  detail: a trace has its delays in its file\n"
            "  try: set another law for service 'wire'"},
    Refused{"DelayOfNobody", "{ to: db }",
            "arms: { one: { uses: db }, two: { uses: db } }\nsweep: { wire.delay: [0, 1ms] }\n",
            "x.yaml:5:10: sweep.'wire.delay': no arm uses service 'wire'\n"
            "  detail: its delay would change nothing\n"
            "  try: add 'wire' to 'uses' of an arm"},
    Refused{"NearlyADelay", "{ to: db }", "sweep: { wire.dealy: [0us] }\n",
            "x.yaml:5:10: sweep.'wire.dealy': there is nothing to vary\n"
            "  detail: neither the workload nor every arm has a setting 'wire.dealy'\n"
            "  try: write 'wire.delay'"},
    Refused{"DelayOfAServer", "{ to: db }", "sweep: { db.delay: [0us] }\n",
            "x.yaml:5:10: sweep.'db.delay': there is nothing to vary\n"
            "  detail: neither the workload nor every arm has a setting 'db.delay'\n"
            "  try: add 'db.delay' to 'workload: config:' with its usual value"},
    Refused{"ExplainWithoutDelays", "{ to: db }", "sweep: { size: [1, 2] }\nexplain: 6ms\n",
            "x.yaml:6:1: explain: needs a sweep of a proxy's delay\n"
            "  detail: the distance is read off the latencies that several delays lead to\n"
            "  try: add 'sweep: { wire.delay: [0us, 250us, 1ms] }'"}};
INSTANTIATE_TEST_SUITE_P(References, ProxySense, testing::ValuesIn(kReferences), NameOf);

TEST(Proxy, IsWhatAnExplanationNeeds) {
  EXPECT_EQ(ErrorOf(Minimal("explain: 6ms\n")),
            "x.yaml:4:1: explain: needs a sweep of a proxy's delay\n"
            "  detail: the distance is read off the latencies that several delays lead to\n"
            "  try: put a proxy before a service, and its delay under 'sweep'");
}

}  // namespace
}  // namespace tare::coordinator
