// tare-command with real programs.

#include "workloads/command/command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "gtest/gtest.h"
#include "workloads/command/words.h"
#include "workloads/sdk/cpp/block.h"

namespace tare::command {
namespace {

using Words = std::vector<std::string>;

TEST(Words, AreSplitAsAShellWouldWithoutExpandingAnything) {
  const std::pair<std::string, Words> cases[] = {
      {"sort -n  file\t", {"sort", "-n", "file"}},
      {"'a b' \"c d\" e\\ f", {"a b", "c d", "e f"}},
      {"a''b \"\" '\\'", {"ab", "", "\\"}},
      {R"("say \"hi\" \\ \n")", {R"(say "hi" \ \n)"}},
      {"ls *.txt | wc $HOME", {"ls", "*.txt", "|", "wc", "$HOME"}},
  };
  for (const auto& [line, words] : cases) {
    const auto split = SplitWords(line);
    ASSERT_TRUE(std::holds_alternative<Words>(split)) << line;
    EXPECT_EQ(std::get<Words>(split), words);
  }
}

TEST(Words, MustEnd) {
  const std::pair<std::string, std::string> cases[] = {
      {"a 'b", "'a 'b' has a quote without end"},
      {"a \"b\\\"", "'a \"b\\\"' has a quote without end"},
      {"a \\", "'a \\' ends in a backslash"},
      {" \n", "a command has no words"},
  };
  for (const auto& [line, message] : cases) {
    const auto split = SplitWords(line);
    ASSERT_TRUE(std::holds_alternative<sdk::Error>(split)) << line;
    EXPECT_EQ(std::get<sdk::Error>(split).message, message);
  }
}

class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    char pattern[] = "/tmp/tare-command-test-XXXXXX";
    directory_ = mkdtemp(pattern);
  }
  ~CommandTest() override { std::filesystem::remove_all(directory_); }

  std::optional<sdk::Error> Setup(const sdk::ConfigEntries& entries) {
    setup_.arms.push_back({"a", sdk::Config("a", entries)});
    return command_.Setup(setup_);
  }
  std::optional<sdk::Error> Measure(int samples, bool is_warmup = false) {
    sdk::BlockRequest request;
    request.arms.assign(static_cast<size_t>(samples), 0);
    request.is_warmup = is_warmup;
    return block_.Run(command_, request);
  }
  sdk::Evidence Collect() {
    std::vector<sdk::Evidence> evidence(1);
    EXPECT_FALSE(command_.Collect(evidence).has_value());
    return evidence[0];
  }

  std::string directory_;
  sdk::TrialSetup setup_;
  Command command_;
  sdk::Block block_{8, 2};
};

TEST_F(CommandTest, ExecutesAndDigestsOutput) {
  ASSERT_FALSE(Setup({{"command", Words{"printf", "%s", "a b"}}}).has_value());
  ASSERT_FALSE(Measure(1, /*is_warmup=*/true).has_value());
  ASSERT_FALSE(Measure(3).has_value());
  const sdk::Evidence evidence = Collect();
  EXPECT_EQ(evidence.checksum, "exit 0");
  EXPECT_EQ(evidence.records, 3);
  // FNV-1a of "a b".
  EXPECT_EQ(evidence.digests[0],
            (std::pair<std::string, std::string>("stdout", "e63f991904833892")));
  EXPECT_EQ(evidence.counters[0].first, "memory_peak_bytes");
  EXPECT_GT(evidence.counters[0].second, 0);
  EXPECT_EQ(evidence.counters[2].first, "spawn_cost_ns");
  EXPECT_GT(evidence.counters[2].second, 0);
  EXPECT_GT(block_.sample(2).value_ns, 0);
}

TEST_F(CommandTest, ReadsMoreOutputThanAPipeHolds) {
  ASSERT_FALSE(Setup({{"command", "head -c 3000000 /dev/zero"}}).has_value());
  ASSERT_FALSE(Measure(1).has_value());
  EXPECT_EQ(Collect().checksum, "exit 0");
}

TEST_F(CommandTest, SaysThatOutputDiffers) {
  ASSERT_FALSE(Setup({{"command", "echo $$"}, {"shell", true}}).has_value());
  ASSERT_FALSE(Measure(2).has_value());
  EXPECT_EQ(Collect().digests[0].second, "differs between executions");
}

TEST_F(CommandTest, UsesNoShellUnlessAsked) {
  ASSERT_FALSE(Setup({{"command", "echo $HOME | cat"}}).has_value());
  ASSERT_FALSE(Measure(1).has_value());
  const std::string without = Collect().digests[0].second;
  EXPECT_EQ(without, "c0918a91bce5d4ce");  // FNV-1a of "$HOME | cat\n"
}

TEST_F(CommandTest, PreparesBeforeEachExecutionWithoutTimingIt) {
  const std::string file = directory_ + "/file";
  ASSERT_FALSE(
      Setup({{"command", Words{"rm", file}}, {"prepare", "sh -c 'sleep 0.02; : >" + file + "'"}})
          .has_value());
  ASSERT_FALSE(Measure(2).has_value());
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_GE(block_.sample(1).start_ns - block_.sample(0).start_ns,
            block_.sample(0).value_ns + 20'000'000);
}

TEST_F(CommandTest, CountsTheProcessorTimeOfTheProgram) {
  const char* loop = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
  ASSERT_FALSE(Setup({{"command", loop}, {"shell", true}}).has_value());
  ASSERT_FALSE(Measure(1).has_value());
  EXPECT_GT(block_.step_ns(0, 0), 0);
}

TEST_F(CommandTest, GivesTheProgramNoInput) {
  ASSERT_FALSE(Setup({{"command", "cat"}}).has_value());
  EXPECT_FALSE(Measure(1).has_value());
}

TEST_F(CommandTest, DoesNotWaitForWhatAProgramLeavesBehind) {
  ASSERT_FALSE(Setup({{"command", "sleep 5 & echo $! > " + directory_ + "/pid"}, {"shell", true}})
                   .has_value());
  ASSERT_FALSE(Measure(1).has_value());
  EXPECT_LT(block_.sample(0).value_ns, 5'000'000'000);
}

struct Failing {
  std::string command;
  std::string message;
  std::string detail;
};

TEST_F(CommandTest, ReportsAProgramThatFails) {
  const Failing failing[] = {
      {"false", "command 'sh -c false' exited with status 1",
       "expected status 0; it wrote nothing to stderr"},
      {"echo first >&2; echo 'no such file' >&2; exit 7",
       "command 'sh -c echo first >&2; echo 'no such file' >&2; exit 7' exited with status 7",
       "expected status 0; last line on stderr: 'no such file'"},
      {"kill -9 $$", "command 'sh -c kill -9 $$' was ended by signal 9 (Killed)",
       "expected status 0; it wrote nothing to stderr"},
  };
  for (const Failing& item : failing) {
    Command command;
    sdk::TrialSetup setup;
    setup.arms.push_back({"a", sdk::Config("a", {{"command", item.command}, {"shell", true}})});
    ASSERT_FALSE(command.Setup(setup).has_value());
    sdk::BlockRequest request;
    request.arms = {0};
    const auto error = block_.Run(command, request);
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->message, item.message);
    EXPECT_EQ(error->detail, item.detail);
    EXPECT_EQ(error->code, "incomplete");
  }
}

TEST_F(CommandTest, RefusesWhatCannotBeExecutedBeforeAnythingIsMeasured) {
  const std::string plain = directory_ + "/plain";
  fclose(fopen(plain.c_str(), "w"));
  chmod(plain.c_str(), 0644);
  const std::pair<sdk::ConfigEntries, std::string> cases[] = {
      {{}, "arm 'a': 'command' is missing"},
      {{{"command", Words{}}}, "arm 'a': 'command' is missing"},
      {{{"command", "no-such-program -x"}},
       "arm 'a': command: command 'no-such-program' does not exist"},
      {{{"command", "/no/such/program"}},
       "arm 'a': command: command '/no/such/program' does not exist"},
      {{{"command", plain}}, "arm 'a': command: command '" + plain + "' is not executable"},
      {{{"command", directory_}}, "arm 'a': command: command '" + directory_ + "' does not exist"},
      {{{"command", "a 'b"}}, "arm 'a': command: 'a 'b' has a quote without end"},
      {{{"command", "true"}, {"prepare", "no-such-program"}},
       "arm 'a': prepare: command 'no-such-program' does not exist"},
      {{{"command", Words{"true"}}, {"shell", true}},
       "arm 'a': command: with 'shell: true' it must be one text"},
      {{{"command", int64_t{1}}}, "arm 'a': config 'command' is 1"},
  };
  for (const auto& [entries, message] : cases) {
    Command command;
    sdk::TrialSetup setup;
    setup.arms.push_back({"a", sdk::Config("a", entries)});
    const auto error = command.Setup(setup);
    ASSERT_TRUE(error.has_value()) << message;
    EXPECT_EQ(error->message, message);
  }
}

}  // namespace
}  // namespace tare::command
