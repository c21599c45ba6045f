// Goal: real conversations are counted right, and no input breaks what must always hold. Method:
// the fuzzer's corpus, whose recorded_* files are what libpq and PostgreSQL 15 said to each other,
// and seeded mutations of it.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/random.h"
#include "gtest/gtest.h"
#include "tests/proxy/conversation.h"

namespace tare::proxy {
namespace {

std::string CorpusDirectory() {
  return absl::StrCat(std::getenv("TARE_SOURCE"), "/tests/proxy/corpus/postgres_observer");
}

std::string Load(const std::string& path) {
  const auto bytes = ReadFile(path);
  EXPECT_TRUE(bytes.ok()) << path;
  return bytes.value_or("");
}

std::vector<std::string> LoadCorpus() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(CorpusDirectory())) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> inputs;
  for (const std::string& path : paths) inputs.push_back(Load(path));
  return inputs;
}

// One to eight small changes.
std::string Mutate(std::string input, Random& random) {
  for (uint64_t left = 1 + random.Below(8); left > 0; --left) {
    const size_t at = random.Below(input.size());
    const char byte = static_cast<char>(random.Below(256));
    switch (random.Below(4)) {
      case 0:
        input[at] = byte;
        break;
      case 1:
        input.insert(at, 1, byte);
        break;
      case 2:
        input.erase(at, std::min<size_t>(input.size() - 1, random.Below(16)));
        break;
      default:
        input.insert(at, input.substr(random.Below(input.size()), random.Below(64)));
    }
    if (input.empty()) input = "0";
  }
  return input;
}

TEST(PostgresCorpus, HoldsRecordedConversationsThatAreCountedRight) {
  struct Case {
    const char* file;
    const char* expected;
  };
  for (const Case& c : std::vector<Case>{
           // Three of the Syncs lie within a copy, where the server ignores them.
           {"recorded_copy",
            "queries: 6 executes: 4 syncs: 7 round_trips: 10 copy_bytes_in: 20 copy_bytes_out: 36 "
            "errors: 3"},
           {"recorded_pipeline", "queries: 1 executes: 20 syncs: 20 round_trips: 21 errors: 1"},
           {"recorded_prepared", "queries: 3 executes: 3 syncs: 4 round_trips: 8 errors: 2"},
           {"recorded_replication", "queries: 3 round_trips: 3 copy_bytes_out: 81"},
           {"recorded_cancel", "stopped: \"cancel request\""},
       }) {
    const std::string input = Load(absl::StrCat(CorpusDirectory(), "/", c.file));
    Observation observation = Observe(ParseInput(input));
    EXPECT_TRUE(observation.is_postgres) << c.file;
    EXPECT_EQ(observation.traffic.server_time().count(), observation.traffic.round_trips());
    observation.traffic.clear_server_time();
    EXPECT_EQ(observation.traffic.ShortDebugString(), c.expected) << c.file;
  }
}

TEST(PostgresCorpus, HoldsNothingThatBreaksTheObserver) {
  const std::vector<std::string> corpus = LoadCorpus();
  ASSERT_FALSE(corpus.empty());
  for (const std::string& input : corpus) EXPECT_EQ(FindViolation(input), "");
}

TEST(PostgresCorpus, BreaksTheObserverInNoMutation) {
  const std::vector<std::string> corpus = LoadCorpus();
  ASSERT_FALSE(corpus.empty());
  Random random(20);
  for (int i = 0; i < 3'000; ++i) {
    const std::string input = Mutate(corpus[random.Below(corpus.size())], random);
    ASSERT_EQ(FindViolation(input), "") << "mutation " << i;
  }
}

}  // namespace
}  // namespace tare::proxy
