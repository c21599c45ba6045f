// Goal: each check says exactly what it should about five kinds of machines.
// Method: root directories of fixtures and a clock that turns them into "one second later".

#include "agent/preflight/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/files.h"
#include "tests/machine/fixture_root.h"

namespace tare::agent {
namespace {

using testing::HasSubstr;

std::string StatusName(v1::CheckStatus status) {
  switch (status) {
    case v1::CHECK_STATUS_PASSED:
      return "passed";
    case v1::CHECK_STATUS_WARNED:
      return "warned";
    case v1::CHECK_STATUS_REFUSED:
      return "refused";
    case v1::CHECK_STATUS_NOT_RUN:
      return "not run";
    default:
      return "?";
  }
}

// "cpu-busy warned 93 > 3 % | culprit | refusal", without the fixture's own path.
std::string Describe(const v1::Check& check, const std::string& root) {
  std::string text = absl::StrCat(check.name(), " ", StatusName(check.status()));
  if (check.has_value()) absl::StrAppend(&text, " ", check.value());
  if (!check.culprit().empty()) absl::StrAppend(&text, " | ", check.culprit());
  // Every check names its refusal; only where there is something to do does it matter here.
  if (!check.advice().empty() && !check.refusal().empty()) {
    absl::StrAppend(&text, " | ", check.refusal());
  }
  return absl::StrReplaceAll(text, {{root, ""}});
}

// All checks, one a line; the free disk space is whatever it is.
std::vector<std::string> DescribeAll(const std::vector<v1::Check>& checks,
                                     const std::string& root) {
  std::vector<std::string> lines;
  for (const v1::Check& check : checks) {
    if (check.name() != "disk") lines.push_back(Describe(check, root));
  }
  return lines;
}

PreflightOptions OptionsFor(const FixtureRoot& root, Clock& clock) {
  return {.root = root.path(), .data_directory = "/", .clock = &clock, .own_pids = {900}};
}

std::vector<std::string> LookAt(absl::string_view name, v1::Gates gates) {
  FixtureRoot root(name);
  AdvancingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  return DescribeAll(preflight.Before(gates, true), root.path());
}

constexpr char kNoGovernor[] =
    "cpu-governor not run | /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor is absent";
constexpr char kNoTurbo[] =
    "turbo not run | /sys/devices/system/cpu/intel_pstate/no_turbo and "
    "/sys/devices/system/cpu/cpufreq/boost are absent";
constexpr char kNoThermal[] =
    "thermal not run | /sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count is absent";

// Its own database works hard meanwhile, and does not count.
TEST(Preflight, PassesAQuietServer) {
  EXPECT_THAT(
      LookAt("quiet-server", v1::GATES_STRICT),
      testing::ElementsAre("cpu-busy passed 1", "load passed 0.005", "pressure-cpu passed 0",
                           "pressure-io passed 0", "pressure-memory passed 0", "steal passed 0",
                           "throttling passed 0", "swap passed 0", "clock-source passed",
                           "clock-tick passed 10", "cpu-governor passed 0", "turbo passed",
                           "thermal passed 0", "memory passed 58593.8"));
}

TEST(Preflight, WarnsOfABusyLaptop) {
  EXPECT_THAT(
      LookAt("busy-laptop", v1::GATES_NORMAL),
      testing::ElementsAre(
          "cpu-busy warned 93 | pid 4711 'cc1plus' 93 % of cpu1 | not-idle",
          "load warned 1.1875 | processes of the last minute",
          "pressure-cpu warned 12 | processes that wait for cpu | not-idle", "pressure-io passed 5",
          "pressure-memory warned 5.1 | processes that wait for memory | not-idle",
          "steal passed 0.625", "throttling passed 0",
          "swap warned 3 | 3 pages in, 0 pages out, 977 MiB in use | not-idle",
          "clock-source warned | clock source 'hpet' | clock-too-coarse", "clock-tick passed 10",
          "cpu-governor warned 5 | cpu4-7 use 'powersave', cpu1 use 'schedutil' | throttled",
          "turbo warned | /sys/devices/system/cpu/intel_pstate/no_turbo is 0 | throttled",
          "thermal warned 3 | a CPU that was too hot | throttled",
          "memory warned 200 | programs that hold the memory | not-idle"));
}

TEST(Preflight, RefusesABusyLaptopWhenStrictButNeverForItsLoad) {
  const std::vector<std::string> checks = LookAt("busy-laptop", v1::GATES_STRICT);
  EXPECT_EQ(checks[0], "cpu-busy refused 93 | pid 4711 'cc1plus' 93 % of cpu1 | not-idle");
  EXPECT_EQ(checks[1], "load warned 1.1875 | processes of the last minute");
  EXPECT_THAT(checks[10], testing::StartsWith("cpu-governor refused 5"));
}

TEST(Preflight, SeesThrottlingAndStealInAContainerOfVersion1) {
  const std::vector<std::string> checks = LookAt("container-v1", v1::GATES_STRICT);
  EXPECT_EQ(checks[5], "steal refused 3.5 | other guests of this machine's host | not-idle");
  EXPECT_EQ(checks[6], "throttling refused 250 | the CPU limit of our cgroup | throttled");
  EXPECT_THAT(checks, testing::Contains(kNoGovernor));
  EXPECT_THAT(checks, testing::Contains(kNoTurbo));
  EXPECT_THAT(checks, testing::Contains(kNoThermal));
}

TEST(Preflight, SeesALimitOfAGroupAboveItsOwnInVersion2) {
  const std::vector<std::string> checks = LookAt("container-v2", v1::GATES_NORMAL);
  EXPECT_EQ(checks[6], "throttling warned 2.5 | the CPU limit of our cgroup | throttled");
}

TEST(Preflight, SaysWhatItCouldNotLookAt) {
  EXPECT_THAT(LookAt("bare", v1::GATES_STRICT),
              testing::ElementsAre(
                  "cpu-busy passed 0", "load not run | /proc/loadavg is absent",
                  "pressure-cpu not run | /proc/pressure/cpu is absent",
                  "pressure-io not run | /proc/pressure/io is absent",
                  "pressure-memory not run | /proc/pressure/memory is absent", "steal passed 0",
                  "throttling not run | no cpu.stat of our cgroup counts throttling",
                  "swap not run | /proc/vmstat has no count of swapped pages",
                  "clock-source not run | "
                  "/sys/devices/system/clocksource/clocksource0/current_clocksource is absent",
                  "clock-tick passed 10", kNoGovernor, kNoTurbo, kNoThermal,
                  "memory not run | /proc/meminfo has no MemAvailable"));
}

TEST(Preflight, GivesLimitUnitAndAdviceWithAWarning) {
  FixtureRoot root("busy-laptop");
  AdvancingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  const v1::Check check = preflight.Before(v1::GATES_NORMAL, true).front();
  EXPECT_EQ(check.limit(), 3);
  EXPECT_EQ(check.unit(), "%");
  EXPECT_EQ(check.advice(), "stop the named process, or wait until it has finished");
  EXPECT_EQ(check.phase(), v1::CHECK_PHASE_PREFLIGHT);
}

TEST(Preflight, WatchesASecondTimeOnlyWhenTheFirstWasBusy) {
  FixtureRoot quiet("quiet-server");
  AdvancingClock quiet_clock(&quiet);
  Preflight(OptionsFor(quiet, quiet_clock)).Before(v1::GATES_NORMAL, true);
  EXPECT_EQ(quiet_clock.waits_count(), 1);

  FixtureRoot busy("busy-laptop");
  AdvancingClock busy_clock(&busy);
  Preflight(OptionsFor(busy, busy_clock)).Before(v1::GATES_NORMAL, true);
  EXPECT_EQ(busy_clock.waits_count(), 2);
}

TEST(Preflight, DoesNotWatchTheCpusUnlessAsked) {
  FixtureRoot root("quiet-server");
  AdvancingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  const auto checks = preflight.Before(v1::GATES_STRICT, false);
  EXPECT_EQ(Describe(checks[0], root.path()),
            "cpu-busy not run | the CPUs were not watched this time");
  EXPECT_EQ(clock.waits_count(), 0);
}

TEST(Preflight, ComparesWithTheLookBeforeTheTrialAfterIt) {
  FixtureRoot root("container-v1");
  AdvancingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  preflight.Before(v1::GATES_NORMAL, false);
  clock.Wait(absl::Seconds(1));
  const auto checks = DescribeAll(preflight.After(v1::GATES_STRICT), root.path());
  EXPECT_THAT(checks[0], testing::StartsWith("cpu-busy not run | the trial's own processes"));
  EXPECT_THAT(checks[1], testing::StartsWith("load not run"));
  EXPECT_THAT(checks[2], testing::StartsWith("pressure-cpu not run"));
  EXPECT_EQ(checks[6], "throttling refused 250 | the CPU limit of our cgroup | throttled");
  const auto later = DescribeAll(preflight.After(v1::GATES_STRICT), root.path());
  EXPECT_EQ(later[6], "throttling passed 0");
}

TEST(Preflight, WarnsOfAClockThatTicksSlowly) {
  class SlowClock : public FakeClock {
   public:
    absl::Duration Monotonic() override {
      if (++reads_ % 10 == 0) FakeClock::Wait(absl::Microseconds(1));
      return FakeClock::Monotonic();
    }

   private:
    int reads_ = 0;
  } clock;
  FixtureRoot root("quiet-server");
  const auto checks =
      DescribeAll(Preflight(OptionsFor(root, clock)).Before(v1::GATES_STRICT, false), root.path());
  EXPECT_EQ(checks[9], "clock-tick refused 1000 | the machine's clock | clock-too-coarse");
}

TEST(Preflight, DoesNotCallAClockThatStandsStillPassed) {
  FakeClock clock;
  FixtureRoot root("quiet-server");
  const auto checks =
      DescribeAll(Preflight(OptionsFor(root, clock)).Before(v1::GATES_STRICT, false), root.path());
  EXPECT_EQ(checks[9], "clock-tick not run | the clock stood still for 500000 reads");
  EXPECT_EQ(checks[2], "pressure-cpu not run | no time has passed since the last look");
}

TEST(Preflight, WaitsUntilTheMachineIsQuiet) {
  FixtureRoot root("busy-laptop");
  AdvancingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  // The first look sees the change to "later" (two seconds watched, the second one quiet), and
  // heat, swapping and pressure with it; the second look sees no change any more.
  const auto checks = preflight.WaitForQuiet(v1::GATES_NORMAL, absl::Seconds(30));
  EXPECT_EQ(checks[0].status(), v1::CHECK_STATUS_PASSED);
  EXPECT_EQ(clock.waits_count(), 3);
}

TEST(Preflight, DoesNotWaitForWhatTimeWillNotMend) {
  FixtureRoot root("quiet-server");
  root.Write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  AdvancingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  const auto checks = preflight.WaitForQuiet(v1::GATES_NORMAL, absl::Seconds(30));
  EXPECT_EQ(clock.waits_count(), 1);
  EXPECT_EQ(Describe(checks[10], root.path()),
            "cpu-governor warned 1 | cpu1 use 'powersave' | throttled");
}

TEST(Preflight, LosesItsPatienceWithAMachineThatStaysBusy) {
  // Swaps three more pages every second.
  class SwappingClock : public AdvancingClock {
   public:
    explicit SwappingClock(FixtureRoot* root) : AdvancingClock(root), fixture_(root) {}
    void Wait(absl::Duration duration) override {
      AdvancingClock::Wait(duration);
      fixture_->Write("/proc/vmstat", absl::StrCat("pswpin ", 10 * waits_count(), "\npswpout 9\n"));
    }

   private:
    FixtureRoot* fixture_;
  };
  FixtureRoot root("quiet-server");
  SwappingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  const auto checks = preflight.WaitForQuiet(v1::GATES_NORMAL, absl::Seconds(5));
  EXPECT_EQ(clock.waits_count(), 5);
  EXPECT_EQ(checks[7].status(), v1::CHECK_STATUS_WARNED);
}

TEST(Preflight, LooksOnceWithGatesOff) {
  FixtureRoot root("busy-laptop");
  AdvancingClock clock(&root);
  Preflight preflight(OptionsFor(root, clock));
  preflight.WaitForQuiet(v1::GATES_OFF, absl::Seconds(30));
  EXPECT_EQ(clock.waits_count(), 2);  // one look, its busy second repeated
}

TEST(Preflight, EveryCheckIsInTheDocumentation) {
  const auto text = ReadFile(absl::StrCat(getenv("TARE_SOURCE"), "/docs/checks.md"));
  ASSERT_TRUE(text.ok()) << text.status();
  FixtureRoot root("quiet-server");
  FakeClock clock;
  for (const v1::Check& check :
       Preflight(OptionsFor(root, clock)).Before(v1::GATES_NORMAL, false)) {
    EXPECT_THAT(*text, HasSubstr(absl::StrCat("| `", check.name(), "` |"))) << check.name();
  }
}

}  // namespace
}  // namespace tare::agent
