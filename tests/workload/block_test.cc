#include "workloads/sdk/cpp/block.h"

#include "gtest/gtest.h"

namespace tare::sdk {
namespace {

// Records what it is asked to do. Arm 1 spends 20 us in a step and 30 us that do not count.
class Recorder : public Workload {
 public:
  About about() const override { return {}; }
  std::optional<Error> Setup(TrialSetup&) override { return std::nullopt; }
  std::optional<Error> Collect(std::vector<Evidence>&) override { return std::nullopt; }

  std::optional<Error> Run(const Operation& operation, Steps& steps) override {
    if (static_cast<int>(operations.size()) == fails_at) return Error{"broken", "", ""};
    operations.push_back(operation);
    if (operation.arm == 1) {
      Spin(30'000);
      steps.Skip();
      Spin(20'000);
      steps.Lap(1);
      steps.Add(0, 5);
    }
    return std::nullopt;
  }

  std::vector<Operation> operations;
  int fails_at = -1;

 private:
  static void Spin(int64_t ns) {
    const int64_t start_ns = ClockNs();
    while (ClockNs() - start_ns < ns) continue;
  }
};

TEST(Block, GivesAllArmsOfASetTheSameInput) {
  Recorder workload;
  BlockRequest request;
  request.arms = {0, 2, 2, 0, 2, 0};
  request.first_set = 7;
  request.arms_per_set = 2;
  ASSERT_FALSE(Block(6, 0).Run(workload, request).has_value());
  std::vector<int64_t> inputs;
  for (const Operation& operation : workload.operations) {
    inputs.push_back(operation.input);
    EXPECT_TRUE(operation.is_counted);
  }
  EXPECT_EQ(inputs, (std::vector<int64_t>{7, 7, 8, 8, 9, 9}));
}

TEST(Block, RunsWashoutBeforeEverySampleAndDoesNotCountIt) {
  Recorder workload;
  BlockRequest request;
  request.arms = {0, 2};
  request.washout = 2;
  request.washout_arm = 2;
  request.iterations = 3;
  ASSERT_FALSE(Block(2, 0).Run(workload, request).has_value());
  std::vector<int> arms;
  std::vector<bool> counted;
  for (const Operation& operation : workload.operations) {
    arms.push_back(operation.arm);
    counted.push_back(operation.is_counted);
  }
  EXPECT_EQ(arms, (std::vector<int>{2, 2, 0, 0, 0, 2, 2, 2, 2, 2}));
  EXPECT_EQ(counted, (std::vector<bool>{false, false, true, true, true,  //
                                        false, false, true, true, true}));
}

TEST(Block, CountsNothingInWarmup) {
  Recorder workload;
  BlockRequest request;
  request.arms = {0};
  request.is_warmup = true;
  ASSERT_FALSE(Block(1, 0).Run(workload, request).has_value());
  EXPECT_FALSE(workload.operations.at(0).is_counted);
}

TEST(Block, WaitsTheDelayOfAllIterationsAndRecordsIt) {
  Recorder workload;
  BlockRequest request;
  request.arms = {0, 2};
  request.iterations = 3;
  request.delay_ns = {0, 0, 40'000};
  Block block(2, 0);
  ASSERT_FALSE(block.Run(workload, request).has_value());
  EXPECT_EQ(block.sample(0).applied_ns, 0);
  EXPECT_GE(block.sample(1).applied_ns, 120'000);
  EXPECT_GE(block.sample(1).value_ns, block.sample(1).applied_ns);
  EXPECT_GE(block.sample(1).start_ns, block.sample(0).start_ns + block.sample(0).value_ns);
}

TEST(Block, WaitsAtTheStartWithinTheSampleAndOutsideOfSteps) {
  Recorder workload;
  BlockRequest request;
  request.arms = {1};
  request.delay_ns = {0, 200'000, 0};
  request.delay_place = DelayPlace::kStart;
  Block block(1, 2);
  ASSERT_FALSE(block.Run(workload, request).has_value());
  EXPECT_GE(block.sample(0).applied_ns, 200'000);
  EXPECT_GE(block.sample(0).value_ns, block.sample(0).applied_ns + block.step_ns(0, 1));
  EXPECT_GE(block.step_ns(0, 1), 20'000);
  // Had the step held the wait, it would fill the sample.
  EXPECT_LE(block.step_ns(0, 1), block.sample(0).value_ns - block.sample(0).applied_ns);
}

// Two steps with a middle between them.
class Halves : public Recorder {
 public:
  std::optional<Error> Run(const Operation& operation, Steps& steps) override {
    if (auto error = Recorder::Run(operation, steps)) return error;
    steps.Lap(0);
    steps.Middle();
    steps.Lap(1);
    return std::nullopt;
  }
};

TEST(Block, WaitsInTheMiddleOfEveryOperationButNotInWashout) {
  Halves workload;
  BlockRequest request;
  request.arms = {0, 2};
  request.iterations = 3;
  request.washout = 5;
  request.washout_arm = 2;
  request.delay_ns = {0, 0, 40'000};
  request.delay_place = DelayPlace::kMiddle;
  Block block(2, 2);
  const int64_t begin_ns = ClockNs();
  ASSERT_FALSE(block.Run(workload, request).has_value());
  EXPECT_EQ(block.sample(0).applied_ns, 0);
  EXPECT_GE(block.sample(1).applied_ns, 3 * 40'000);
  EXPECT_GE(block.sample(1).value_ns,
            block.sample(1).applied_ns + block.step_ns(1, 0) + block.step_ns(1, 1));
  // Only the three operations of the delayed sample waited.
  EXPECT_GE(ClockNs() - begin_ns, block.sample(1).value_ns + block.sample(0).value_ns);
  EXPECT_EQ(workload.operations.size(), size_t{16});
}

TEST(Block, RefusesAMiddleThatTheWorkloadDoesNotHave) {
  Recorder workload;
  BlockRequest request;
  request.arms = {0, 2};
  request.delay_ns = {0, 0, 40'000};
  request.delay_place = DelayPlace::kMiddle;
  const std::optional<Error> error = Block(2, 0).Run(workload, request);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, "delay-not-applied");
}

TEST(Block, KeepsStepsApartAndTakesSkippedTimeOut) {
  Recorder workload;
  BlockRequest request;
  request.arms = {0, 1, 1};
  request.iterations = 2;
  request.washout = 1;
  request.washout_arm = 1;
  Block block(3, 2);
  // Twice: the second block must not see the first one's steps.
  for (int i = 0; i < 2; ++i) {
    ASSERT_FALSE(block.Run(workload, request).has_value());
    EXPECT_EQ(block.step_ns(0, 0), 0);
    EXPECT_EQ(block.step_ns(0, 1), 0);
    for (const size_t sample : {1, 2}) {
      EXPECT_EQ(block.step_ns(sample, 0), 2 * 5);
      EXPECT_GE(block.step_ns(sample, 1), 2 * 20'000);
      EXPECT_GE(block.sample(sample).value_ns, block.step_ns(sample, 1));
    }
    // The skipped time has passed, but belongs to no sample.
    EXPECT_GE(block.sample(2).start_ns - block.sample(1).start_ns,
              block.sample(1).value_ns + 2 * 30'000);
  }
}

TEST(Block, StopsAtTheFirstError) {
  Recorder workload;
  workload.fails_at = 1;
  BlockRequest request;
  request.arms = {0, 0, 0};
  const std::optional<Error> error = Block(3, 0).Run(workload, request);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, "broken");
  EXPECT_EQ(workload.operations.size(), size_t{1});
}

TEST(Clock, HasATick) { EXPECT_GT(MeasureTickNs(), 0); }

}  // namespace
}  // namespace tare::sdk
