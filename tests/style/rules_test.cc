// Goal: each rule finds what it is for, says so in full, and lets the rest pass.

#include "tests/style/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tare::style {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Includes, FollowTheTable) {
  struct Case {
    const char* path;
    const char* include;
    bool is_allowed;
  };
  for (const Case& c : std::vector<Case>{
           {"base/clock.cc", "base/clock.h", true},
           {"base/clock.cc", "stats/t.h", false},
           {"stats/t.cc", "base/status.h", true},
           {"stats/t.cc", "tare/v1/record.pb.h", false},
           {"agent/launch/process.cc", "agent/machine/proc.h", true},
           {"agent/main.cc", "stats/t.h", false},
           {"agent/main.cc", "coordinator/plan/plan.h", false},
           {"coordinator/analysis/a.cc", "stats/t.h", true},
           {"coordinator/analysis/a.cc", "coordinator/store/store.h", false},
           {"coordinator/report/r.cc", "tare/v1/report.pb.h", true},
           {"coordinator/report/r.cc", "stats/t.h", false},
           {"coordinator/store/s.cc", "coordinator/plan/plan.h", false},
           {"coordinator/plan/p.cc", "coordinator/experiment/experiment.h", false},
           {"coordinator/import/i.cc", "coordinator/analysis/analysis.h", true},
           {"coordinator/import/i.cc", "coordinator/analysis/units.h", false},
           {"coordinator/cli/main.cc", "coordinator/store/store.h", true},
           {"coordinator/cli/main.cc", "agent/launch/process.h", false},
           {"workloads/spin/spin.cc", "workloads/sdk/cpp/clock.h", true},
           {"workloads/spin/spin.cc", "base/version.h", true},
           {"workloads/spin/spin.cc", "base/status.h", false},
           {"workloads/spin/spin.cc", "workloads/preview/model.h", false},
           {"workloads/sdk/cpp/session.cc", "workloads/sdk/cpp/clock.h", true},
           {"tests/plan/plan_test.cc", "coordinator/plan/plan.h", true},
           {"base/clock.cc", "absl/time/time.h", true},
       }) {
    const auto file = MakeSourceFile(c.path, absl::StrCat("#include \"", c.include, "\"\n"));
    EXPECT_EQ(CheckIncludes(file).empty(), c.is_allowed) << c.path << " " << c.include;
  }
}

TEST(Includes, SayWhatWouldBeAllowed) {
  EXPECT_THAT(CheckIncludes(MakeSourceFile("stats/t.cc", "\n#include \"agent/agent.h\"\n")),
              ElementsAre("stats/t.cc:2: includes 'agent/agent.h'; files of stats/ may include of "
                          "ours only base/, stats/"));
  EXPECT_THAT(CheckIncludes(MakeSourceFile("utils/t.cc", "")),
              ElementsAre("utils/t.cc:1: is in no folder of the include table"));
}

TEST(ForeignHeaders, StayInTheirPlaces) {
  EXPECT_THAT(CheckForeignHeaders(MakeSourceFile("coordinator/store/s.cc", "#include <sqlite3.h>")),
              IsEmpty());
  EXPECT_THAT(CheckForeignHeaders(MakeSourceFile("coordinator/store/s.h", "#include <sqlite3.h>")),
              ElementsAre("coordinator/store/s.h:1: includes 'sqlite3.h'; only .cc files of "
                          "coordinator/store/, workloads/, tests/ may"));
  EXPECT_EQ(CheckForeignHeaders(MakeSourceFile("stats/t.cc", "#include <grpcpp/grpcpp.h>")).size(),
            1u);
}

TEST(Columns, AreCountedInCharacters) {
  std::string arrows;
  for (int i = 0; i < 100; ++i) absl::StrAppend(&arrows, "→");
  EXPECT_THAT(CheckColumns(MakeSourceFile("base/a.h", arrows)), IsEmpty());
  EXPECT_THAT(CheckColumns(MakeSourceFile("base/a.h", arrows + "x")),
              ElementsAre("base/a.h:1: has 101 columns; break the line at 100"));
  EXPECT_THAT(CheckColumns(MakeSourceFile("docs/a.md", arrows + "x")), IsEmpty());
}

TEST(BannedWords, AreFoundAsWordsOnly) {
  const auto count = [](const char* line) {
    return CheckBannedWords(MakeSourceFile("base/a.cc", line)).size();
  };
  for (const char* line :
       {"std::string_view a;", "std::this_thread::sleep_for(x);", "int i = rand();",
        "  system(\"ls\");", "} catch (...) {", "// TODO(me): later", "// FIXME", "std::mt19937 g;",
        "std::shuffle(a, b, c);"}) {
    EXPECT_EQ(count(line), 1u) << line;
  }
  for (const char* line : {"absl::string_view a;", "Operand(x)", "filesystem(x)",
                           "catch (const E& e)", "TODOS", "std::string_views"}) {
    EXPECT_EQ(count(line), 0u) << line;
  }
  EXPECT_THAT(CheckBannedWords(MakeSourceFile("base/a.cc", "\nstd::mt19937 g;")),
              ElementsAre("base/a.cc:2: 'std::mt19937' is not used here; use Random of "
                          "base/random.h"));
}

TEST(BannedWords, KnowTheOnePlaceThatMayWait) {
  EXPECT_THAT(CheckBannedWords(MakeSourceFile("base/clock.cc", "absl::SleepFor(d);")), IsEmpty());
  EXPECT_EQ(CheckBannedWords(MakeSourceFile("base/files.cc", "absl::SleepFor(d);")).size(), 1u);
}

TEST(HeaderGuard, NamesThePath) {
  const auto check = [](const char* text) {
    return CheckHeaderGuard(MakeSourceFile("agent/launch/a_b.h", text));
  };
  EXPECT_THAT(
      check("// What.\n\n#ifndef TARE_AGENT_LAUNCH_A_B_H_\n#define TARE_AGENT_LAUNCH_A_B_H_\n"
            "int x;\n#endif  // TARE_AGENT_LAUNCH_A_B_H_\n"),
      IsEmpty());
  EXPECT_THAT(
      check("#ifndef A_B_H\n#define A_B_H\n#endif  // A_B_H\n"),
      ElementsAre("agent/launch/a_b.h:1: the header guard must be TARE_AGENT_LAUNCH_A_B_H_, "
                  "in '#ifndef', '#define' and the last line's '#endif  // "
                  "TARE_AGENT_LAUNCH_A_B_H_'"));
  EXPECT_EQ(check("#pragma once\n").size(), 1u);
  EXPECT_EQ(check("int x;\n").size(), 1u);
}

TEST(Length, IsBounded) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "\n";
  EXPECT_THAT(CheckLength(MakeSourceFile("base/a.cc", text)), IsEmpty());
  EXPECT_THAT(CheckLength(MakeSourceFile("base/a.cc", text + "x")),
              ElementsAre("base/a.cc:501: has 501 lines, more than 500; look for the second noun"));
}

TEST(Synonyms, AreReadFromTheGlossaryAndFoundInNames) {
  const auto glossary =
      MakeSourceFile("docs/glossary.md",
                     "| word | is |\n|---|---|\n| arm | x |\n\n| not | but |\n|---|---|\n| job "
                     "| trial |\n| task | trial |\n");
  const auto words = ReadSynonyms(glossary);
  EXPECT_THAT(words, ElementsAre(testing::Pair("job", "trial"), testing::Pair("task", "trial")));
  for (const char* line : {"struct JobRecord {", "int32 job_id = 1;", "void StartTask();"}) {
    EXPECT_EQ(CheckSynonyms(MakeSourceFile("agent/a.h", line), words).size(), 1u) << line;
  }
  EXPECT_THAT(CheckSynonyms(MakeSourceFile("agent/a.h", "int multitasking; // a trial"), words),
              IsEmpty());
  EXPECT_THAT(CheckSynonyms(MakeSourceFile("a/b.proto", "// the job"), words),
              ElementsAre("a/b.proto:1: 'job' is not a word of the glossary; use 'trial'"));
}

TEST(Targets, NameEverySource) {
  const std::vector<SourceFile> files = {
      MakeSourceFile("base/CMakeLists.txt", "tare_library(tare_base\n  SRCS clock.cc a_b.cc)\n"),
      MakeSourceFile("base/clock.cc", ""), MakeSourceFile("base/b.cc", ""),
      MakeSourceFile("stats/t.cc", "")};
  EXPECT_THAT(CheckTargets(files),
              ElementsAre("base/b.cc:1: is in no target; name it in base/CMakeLists.txt, or delete "
                          "it",
                          "stats/t.cc:1: is in no target; name it in stats/CMakeLists.txt, or "
                          "delete it"));
}

}  // namespace
}  // namespace tare::style
