// A workload that times its samples itself, against the agent's end.

#include <array>
#include <thread>

#include "agent/workload/channel.h"
#include "gtest/gtest.h"
#include "tests/workload/pipes.h"
#include "workloads/sdk/cpp/block.h"
#include "workloads/sdk/cpp/session.h"

namespace tare {
namespace {

// Sample i starts at i and takes 10 i, 3 i of it in its first step.
class Scheduled : public sdk::ContinuousWorkload {
 public:
  sdk::About about() const override { return {}; }
  std::optional<sdk::Error> Setup(sdk::TrialSetup& setup) override {
    samples_max = setup.samples_max;
    setup.steps = {"wait", "work"};
    return std::nullopt;
  }
  std::optional<sdk::Error> RunBlock(const sdk::BlockRequest& request, sdk::Block& block) override {
    warmup_samples = request.warmup_samples;
    for (size_t i = 0; i < request.arms.size(); ++i) {
      const auto number = static_cast<int64_t>(i);
      block.Set(i, {number, 10 * number, 0}, std::array{3 * number, 7 * number});
    }
    return std::nullopt;
  }
  std::optional<sdk::Error> Collect(std::vector<sdk::Evidence>&) override { return std::nullopt; }

  int64_t samples_max = 0;
  int64_t warmup_samples = 0;
};

class Continuous : public testing::Test {
 protected:
  Continuous() {
    pipes_.MakeAgentEndsNonBlocking();
    process_ = std::thread([this] {
      sdk::Serve(workload_, pipes_.process_in.get(), pipes_.process_out.get());
      pipes_.process_out.Reset();
    });
  }
  ~Continuous() override {
    pipes_.agent_out.Reset();
    process_.join();
  }

  static v1::Setup OneArm() {
    v1::Setup setup;
    setup.add_arms()->set_name("a");
    setup.set_samples_max(5);
    return setup;
  }
  static v1::Measure Five() {
    v1::Measure measure;
    for (int i = 0; i < 5; ++i) measure.add_arms(0);
    measure.set_iterations(1);
    measure.add_delay_ns(0);
    measure.set_arms_per_set(1);
    measure.set_warmup_samples(2);
    return measure;
  }

  Pipes pipes_;
  Scheduled workload_;
  std::thread process_;
};

TEST_F(Continuous, GetsAllSamplesAsOneBlockAndFillsIt) {
  agent::WorkloadChannel channel(pipes_.agent_out.get(), pipes_.agent_in.get(), -1,
                                 absl::Seconds(30));
  EXPECT_TRUE(channel.ReceiveHello().value().continuous());
  ASSERT_TRUE(channel.Setup(OneArm()).ok());
  const v1::SampleBlock block = channel.Measure(Five()).value();
  EXPECT_EQ(workload_.samples_max, 5);
  EXPECT_EQ(workload_.warmup_samples, 2);
  EXPECT_EQ(block.start_ns(4), 4);
  EXPECT_EQ(block.value_ns(4), 40);
  EXPECT_EQ(block.steps(0).name(), "wait");
  EXPECT_EQ(block.steps(0).ns(4), 12);
  EXPECT_EQ(block.steps(1).ns(4), 28);
  EXPECT_EQ(channel.Collect().value().arms(0).operations(), 3);
}

TEST_F(Continuous, RefusesWhatWouldBreakItsSchedule) {
  agent::WorkloadChannel channel(pipes_.agent_out.get(), pipes_.agent_in.get(), -1,
                                 absl::Seconds(30));
  ASSERT_TRUE(channel.ReceiveHello().ok());
  ASSERT_TRUE(channel.Setup(OneArm()).ok());
  v1::Measure measure = Five();
  measure.set_delay_ns(0, 1'000);
  const absl::Status status = channel.Measure(measure).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("the agent asked for a known delay"), std::string::npos)
      << status;
}

}  // namespace
}  // namespace tare
