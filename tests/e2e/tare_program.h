// tare's programs, run as a person runs them.
//
// Each test has a directory and a store of its own, and a mark in the environment that every
// process of the test inherits, so that a test can ask whether anything of it is still running.

#ifndef TARE_TESTS_E2E_TARE_PROGRAM_H_
#define TARE_TESTS_E2E_TARE_PROGRAM_H_

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace tare {

struct Outcome {
  int code = -1;  // 128 + signal when ended by one
  std::string out;
  std::string err;
};

// A program that was started and not yet waited for.
class Running {
 public:
  Running(pid_t pid, std::string out_path, std::string err_path)
      : pid_(pid), out_path_(std::move(out_path)), err_path_(std::move(err_path)) {}
  pid_t pid() const { return pid_; }
  std::string out() const;
  std::string err() const;
  // Kills it when `timeout` passes first, which fails the test.
  Outcome Wait(absl::Duration timeout = absl::Seconds(120));

 private:
  pid_t pid_;
  std::string out_path_;
  std::string err_path_;
};

class E2eTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;  // nothing of the test may be left running

  // A program of tare's by its name, any other by its path.
  Running Start(const std::string& program, const std::vector<std::string>& arguments);
  Outcome Tare(const std::vector<std::string>& arguments);

  // For runs that are to be judged: one more try when the control differs, which it does by chance
  // once in a hundred.
  Outcome TareJudged(const std::vector<std::string>& arguments);

  // Writes a file into the test's directory and returns its path.
  std::string Write(const std::string& name, const std::string& text);
  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
  nlohmann::json ReadJson(const std::string& name) const;

  // Trials that count in the newest run; 0 when there is none.
  int CountedTrials();

  // Pids of this test's processes whose command line contains `text`; itself excluded.
  std::vector<pid_t> Processes(const std::string& text) const;
  // The same once there is one; fails after 30 s.
  pid_t AwaitProcess(const std::string& text) const;
  // Waits up to 10 s until no process of this test is left; returns what is, one a line.
  std::string Leftovers() const;
  // Waits until `condition` or fails after 60 s.
  template <typename Condition>
  void Await(const std::string& what, Condition condition) {
    const absl::Time deadline = absl::Now() + absl::Seconds(60);
    while (!condition()) {
      ASSERT_LT(absl::Now(), deadline) << "waited for " << what;
      Clock::Real()->Wait(absl::Milliseconds(10));
    }
  }

  std::string directory_;
  std::string mark_;
  std::string store_;

 private:
  bool IsOurs(const std::filesystem::path& process, const std::string& command) const;

  int started_count_ = 0;
};

// An experiment on scripted_workload or tare-spin: two arms that spin 50 us, few samples.
struct SmallExperiment {
  std::string workload = "tare-spin";
  std::string workload_config;  // "{ mode: garbage }", inline
  std::string baseline = "{ work_us: 50 }";
  std::string candidate = "{ work_us: 50 }";
  std::string design = "{ processes: 3, sets: 40, warmup: 10 }";
  std::string checks = "{ control: off }";  // no refusal by chance
  std::string rest;                         // further top-level lines
  std::string Yaml() const;
};

}  // namespace tare

#endif  // TARE_TESTS_E2E_TARE_PROGRAM_H_
