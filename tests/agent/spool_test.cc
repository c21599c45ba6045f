#include "agent/spool.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tare::agent {
namespace {

v1::Chunk MakeChunk(int64_t sequence, size_t payload_bytes = 100) {
  v1::Chunk chunk;
  chunk.mutable_key()->set_run("20261130-210836-k3f9");
  chunk.mutable_key()->set_attempt(1);
  chunk.set_role("workload");
  chunk.set_sequence(sequence);
  chunk.set_payload(std::string(payload_bytes, static_cast<char>('a' + sequence % 26)));
  return chunk;
}

v1::ChunkAck AckOf(const v1::Chunk& chunk) {
  v1::ChunkAck ack;
  *ack.mutable_key() = chunk.key();
  ack.set_role(chunk.role());
  ack.set_sequence(chunk.sequence());
  return ack;
}

class SpoolTest : public testing::Test {
 protected:
  std::unique_ptr<Spool> Open(const SpoolOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<Spool>> spool = Spool::Open(Path(), options);
    EXPECT_TRUE(spool.ok()) << FormatError(spool.status());
    return std::move(spool).value();
  }

  std::string Path() const { return directory_.Path("spool"); }

  int64_t SegmentsCount() const {
    return std::distance(std::filesystem::directory_iterator(Path()),
                         std::filesystem::directory_iterator());
  }

  // Takes the oldest chunk and acknowledges it; its sequence, or -1 when none waits.
  static int64_t Take(Spool& spool) {
    const absl::StatusOr<v1::Chunk> chunk = spool.Next(absl::ZeroDuration());
    if (!chunk.ok()) return -1;
    EXPECT_EQ(chunk->payload(), MakeChunk(chunk->sequence(), chunk->payload().size()).payload());
    EXPECT_EQ(spool.Acknowledge(AckOf(*chunk)), absl::OkStatus());
    return chunk->sequence();
  }

  TemporaryDirectory directory_;
};

TEST_F(SpoolTest, GivesChunksInOrderAndKeepsThemUntilAcknowledged) {
  const std::unique_ptr<Spool> spool = Open();
  for (int64_t i = 0; i < 3; ++i) ASSERT_EQ(spool->Append(MakeChunk(i)), absl::OkStatus());
  EXPECT_EQ(spool->Next(absl::ZeroDuration()).value().sequence(), 0);
  EXPECT_EQ(spool->Next(absl::ZeroDuration()).value().sequence(), 0);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(Take(*spool), i);
  EXPECT_EQ(spool->Count(), 0);
}

TEST_F(SpoolTest, TakesAnAcknowledgementTwiceWithoutHarm) {
  const std::unique_ptr<Spool> spool = Open();
  for (int64_t i = 0; i < 2; ++i) ASSERT_EQ(spool->Append(MakeChunk(i)), absl::OkStatus());
  EXPECT_EQ(spool->Acknowledge(AckOf(MakeChunk(0))), absl::OkStatus());
  EXPECT_EQ(spool->Acknowledge(AckOf(MakeChunk(0))), absl::OkStatus());
  EXPECT_EQ(spool->Count(), 1);
  EXPECT_EQ(Take(*spool), 1);
  EXPECT_EQ(spool->Acknowledge(AckOf(MakeChunk(1))), absl::OkStatus());
}

TEST_F(SpoolTest, TimesOutWhenNothingComes) {
  const absl::Status status = Open()->Next(absl::Milliseconds(1)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(status.message(), "no chunk came for 1ms");
}

TEST_F(SpoolTest, WakesTheSenderForAChunkAndForStop) {
  const std::unique_ptr<Spool> spool = Open();
  absl::StatusOr<v1::Chunk> first = absl::UnknownError("not yet");
  absl::StatusOr<v1::Chunk> second = absl::UnknownError("not yet");
  std::thread sender([&] {
    first = spool->Next(absl::InfiniteDuration());
    EXPECT_EQ(spool->Acknowledge(AckOf(MakeChunk(0))), absl::OkStatus());
    second = spool->Next(absl::InfiniteDuration());
  });
  ASSERT_EQ(spool->Append(MakeChunk(0)), absl::OkStatus());
  while (spool->Count() > 0) std::this_thread::yield();
  spool->Stop();
  sender.join();
  EXPECT_EQ(first.value().sequence(), 0);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kCancelled);
}

TEST_F(SpoolTest, HasWhatWaitedAfterReopening) {
  {
    const std::unique_ptr<Spool> spool = Open();
    for (int64_t i = 0; i < 3; ++i) ASSERT_EQ(spool->Append(MakeChunk(i)), absl::OkStatus());
  }
  const std::unique_ptr<Spool> spool = Open();
  EXPECT_EQ(spool->recovery().chunks_count, 3);
  EXPECT_EQ(spool->recovery().discarded_bytes, 0);
  ASSERT_EQ(spool->Append(MakeChunk(3)), absl::OkStatus());
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(Take(*spool), i);
}

TEST_F(SpoolTest, ForgetsWhatWasAcknowledgedWhenItWasEmptied) {
  {
    const std::unique_ptr<Spool> spool = Open();
    for (int64_t i = 1; i < 4; ++i) ASSERT_EQ(spool->Append(MakeChunk(i)), absl::OkStatus());
    for (int64_t i = 1; i < 4; ++i) EXPECT_EQ(Take(*spool), i);
    ASSERT_EQ(spool->Append(MakeChunk(4)), absl::OkStatus());
  }
  const std::unique_ptr<Spool> spool = Open();
  EXPECT_EQ(spool->recovery().chunks_count, 1);
  EXPECT_EQ(Take(*spool), 4);
}

TEST_F(SpoolTest, ReportsATornTailAndGoesOn) {
  {
    const std::unique_ptr<Spool> spool = Open();
    for (int64_t i = 1; i < 3; ++i) ASSERT_EQ(spool->Append(MakeChunk(i)), absl::OkStatus());
  }
  const std::string segment = Path() + "/0000000001.spool";
  const std::string whole = ReadFile(segment).value();
  ASSERT_EQ(WriteFile(segment, absl::string_view(whole).substr(0, whole.size() - 10)),
            absl::OkStatus());
  const std::unique_ptr<Spool> spool = Open();
  EXPECT_EQ(spool->recovery().chunks_count, 1);
  EXPECT_EQ(spool->recovery().discarded_bytes, static_cast<int64_t>(whole.size() / 2 - 10));
  ASSERT_EQ(spool->Append(MakeChunk(3)), absl::OkStatus());
  EXPECT_EQ(Take(*spool), 1);
  EXPECT_EQ(Take(*spool), 3);
}

TEST_F(SpoolTest, DropsAndReportsAChunkThatRotted) {
  const std::unique_ptr<Spool> spool = Open();
  for (int64_t i = 0; i < 2; ++i) ASSERT_EQ(spool->Append(MakeChunk(i)), absl::OkStatus());
  const std::string segment = Path() + "/0000000001.spool";
  ASSERT_EQ(truncate(segment.c_str(), 0), 0);
  const absl::Status status = spool->Next(absl::ZeroDuration()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(FormatError(status), absl::StrCat("a chunk in spool segment '", segment,
                                              "' is damaged\n"
                                              "  detail: at byte 0\n"
                                              "  try: check the disk"));
  EXPECT_EQ(spool->Count(), 1);
}

TEST_F(SpoolTest, DeletesSegmentsThatAreDone) {
  SpoolOptions options;
  options.segment_bytes_max = 200;
  {
    const std::unique_ptr<Spool> spool = Open(options);
    for (int64_t i = 0; i < 8; ++i) ASSERT_EQ(spool->Append(MakeChunk(i)), absl::OkStatus());
    EXPECT_EQ(SegmentsCount(), 4);
    for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(Take(*spool), i);
    EXPECT_EQ(SegmentsCount(), 3);
  }
  const std::unique_ptr<Spool> spool = Open(options);
  for (int64_t i = 2; i < 8; ++i) EXPECT_EQ(Take(*spool), i) << "2 shares its segment with 3";
  EXPECT_EQ(SegmentsCount(), 1);
}

TEST_F(SpoolTest, RefusesMoreThanItsBoundAndTakesMoreWhenThereIsRoom) {
  SpoolOptions options;
  options.bytes_max = 2048;
  const std::unique_ptr<Spool> spool = Open(options);
  ASSERT_EQ(spool->Append(MakeChunk(0, 900)), absl::OkStatus());
  ASSERT_EQ(spool->Append(MakeChunk(1, 900)), absl::OkStatus());
  const absl::Status status = spool->Append(MakeChunk(2, 900));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(PartsOf(status).what, absl::StrCat("spool '", Path(), "' is full"));
  EXPECT_EQ(PartsOf(status).action, "let the agent reach its coordinator again");
  EXPECT_EQ(Take(*spool), 0);
  EXPECT_EQ(spool->Append(MakeChunk(2, 900)), absl::OkStatus());
}

TEST_F(SpoolTest, RefusesAChunkThatIsTooLong) {
  const std::unique_ptr<Spool> spool = Open();
  EXPECT_EQ(spool->Append(MakeChunk(0, kChunkBytesMax)), absl::OkStatus());
  const absl::Status status = spool->Append(MakeChunk(1, kChunkBytesMax + 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FormatError(status),
            "chunk 1 of role 'workload' has 524289 bytes of payload\n"
            "  detail: the limit is 512 KiB");
}

TEST_F(SpoolTest, BelongsToOneAgent) {
  const std::unique_ptr<Spool> spool = Open();
  const absl::Status status = Spool::Open(Path(), {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(FormatError(status),
            absl::StrCat("spool '", Path(),
                         "' is used by another agent\n"
                         "  try: stop that agent, or give this one another spool directory"));
}

TEST_F(SpoolTest, NamesTheDirectoryThatCannotBeMade) {
  const absl::Status status = Spool::Open(directory_.Path("none/spool"), {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), absl::StrCat("cannot create spool '", directory_.Path("none/spool"),
                                           "': No such file or directory"));
}

// A limit on the file's size stops a write in its middle, as a full disk does.
TEST_F(SpoolTest, KeepsWholeChunksWhenAWriteIsCutShort) {
  std::unique_ptr<Spool> spool = Open();
  ASSERT_EQ(spool->Append(MakeChunk(0)), absl::OkStatus());
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {1000, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = spool->Append(MakeChunk(1, 5000));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(status.message(), absl::StrCat("spool segment '", Path(),
                                           "/0000000001.spool': cannot write: File too large"));
  ASSERT_EQ(spool->Append(MakeChunk(2)), absl::OkStatus());
  spool.reset();
  spool = Open();
  EXPECT_EQ(spool->recovery().discarded_bytes, 0);
  EXPECT_EQ(Take(*spool), 0);
  EXPECT_EQ(Take(*spool), 2);
}

// A child appends and reports each chunk that was taken; it is killed after some of them, at
// whatever it then does.
TEST_F(SpoolTest, HasAllThatWasTakenAfterKill9) {
  constexpr int64_t kTaken = 57;
  int reports[2];
  ASSERT_EQ(pipe(reports), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SpoolOptions options;
    options.segment_bytes_max = 20'000;
    const std::unique_ptr<Spool> spool = Open(options);
    for (int64_t i = 0;; ++i) {
      if (!spool->Append(MakeChunk(i, 3000)).ok() || write(reports[1], "+", 1) != 1) _exit(1);
    }
  }
  close(reports[1]);
  char byte = 0;
  for (int64_t i = 0; i < kTaken; ++i) ASSERT_EQ(read(reports[0], &byte, 1), 1);
  kill(child, SIGKILL);
  int exit_status = 0;
  ASSERT_EQ(waitpid(child, &exit_status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(exit_status));
  int64_t taken_count = kTaken;
  while (read(reports[0], &byte, 1) == 1) ++taken_count;
  close(reports[0]);

  const std::unique_ptr<Spool> spool = Open();
  EXPECT_GE(spool->recovery().chunks_count, taken_count);
  for (int64_t i = 0; i < taken_count; ++i) ASSERT_EQ(Take(*spool), i);
}

}  // namespace
}  // namespace tare::agent
