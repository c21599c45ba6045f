// The agent's end against processes that misbehave; a thread plays the process.

#include "agent/workload/channel.h"

#include <thread>

#include "base/files.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/workload/pipes.h"

namespace tare::agent {
namespace {

class WorkloadChannelTest : public testing::Test {
 protected:
  WorkloadChannelTest() { pipes_.MakeAgentEndsNonBlocking(); }

  WorkloadChannel Channel(absl::Duration timeout, int cancel_fd = -1) {
    return WorkloadChannel(pipes_.agent_out.get(), pipes_.agent_in.get(), cancel_fd, timeout);
  }
  void Say(const std::string& text) {
    EXPECT_TRUE(WriteFully(pipes_.process_out.get(), text).ok());
  }

  Pipes pipes_;
};

TEST_F(WorkloadChannelTest, ReportsAProcessThatClosesEarly) {
  pipes_.process_out.Reset();
  const absl::Status status = Channel(absl::Seconds(30)).ReceiveHello().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(FormatError(status),
            "workload closed the protocol pipe\n  detail: 'hello' was expected");
}

TEST_F(WorkloadChannelTest, ReportsALineThatWasCutShort) {
  Say("{\"hello\":");
  pipes_.process_out.Reset();
  const absl::Status status = Channel(absl::Seconds(30)).ReceiveHello().status();
  EXPECT_EQ(PartsOf(status).detail, "'hello' was expected; its last line has 9 bytes and no end");
}

TEST_F(WorkloadChannelTest, GivesUpOnASilentProcess) {
  const absl::Status status = Channel(absl::Milliseconds(5)).ReceiveHello().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(PartsOf(status).what, "workload was silent for 5ms");
  EXPECT_EQ(PartsOf(status).detail, "waited for 'hello'");
}

TEST_F(WorkloadChannelTest, StopsWhenToldTo) {
  Pipes cancel;
  ASSERT_TRUE(WriteFully(cancel.process_out.get(), "x").ok());
  EXPECT_EQ(Channel(absl::Seconds(30), cancel.agent_in.get()).ReceiveHello().status().code(),
            absl::StatusCode::kCancelled);
}

TEST_F(WorkloadChannelTest, RefusesALineWithoutEnd) {
  fcntl(pipes_.process_out.get(), F_SETPIPE_SZ, 1 << 20);  // fewer turns; it may be refused
  std::thread process([this] {
    const std::string much(1 << 20, 'x');
    // The agent stops reading after kLineBytesMax and closes; the rest of the writes then fails.
    while (WriteFully(pipes_.process_out.get(), much).ok()) continue;
  });
  const absl::Status status = Channel(absl::Seconds(30)).ReceiveHello().status();
  pipes_.agent_in.Reset();
  process.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(PartsOf(status).detail,
            "a line longer than 67108864 bytes; the line is '" + std::string(80, 'x') + "...'");
}

// A pipe holds 64 KiB. Both sides write more than that before either reads all of the other's.
TEST_F(WorkloadChannelTest, ReadsWhileItWrites) {
  v1::Setup setup;
  setup.add_arms()->set_name(std::string(1 << 20, 'a'));
  std::thread process([this] {
    Say("{\"error\":{\"message\":\"" + std::string(1 << 20, 'm') + "\"}}\n");
    std::string line;
    char buffer[1 << 16];
    while (line.empty() || line.back() != '\n') {
      const ssize_t count = read(pipes_.process_in.get(), buffer, sizeof buffer);
      ASSERT_GT(count, 0);
      line.append(buffer, static_cast<size_t>(count));
    }
  });
  const absl::Status status = Channel(absl::Seconds(30)).Setup(setup).status();
  process.join();
  EXPECT_EQ(status.message(), std::string(1 << 20, 'm'));
}

TEST_F(WorkloadChannelTest, HearsTheReasonOfAProcessThatIsAlreadyGone) {
  Say("{\"error\":{\"message\":\"no memory\"}}\n");
  pipes_.process_out.Reset();
  pipes_.process_in.Reset();
  EXPECT_EQ(Channel(absl::Seconds(30)).Setup(v1::Setup()).status().message(), "no memory");
}

TEST_F(WorkloadChannelTest, NoticesAnAnswerThatNobodyAskedFor) {
  Say("{\"bye\":{}}\n{\"ready\":{}}\n");
  WorkloadChannel channel = Channel(absl::Seconds(30));
  EXPECT_TRUE(channel.Bye().ok());
  EXPECT_EQ(channel.Collect().status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace tare::agent
