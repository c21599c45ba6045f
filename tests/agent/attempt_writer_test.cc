#include "agent/attempt_writer.h"

#include <vector>

#include "base/crc32c.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "tests/temporary_directory.h"

namespace tare::agent {
namespace {

using google::protobuf::util::MessageDifferencer;

class AttemptWriterTest : public testing::Test {
 protected:
  AttemptWriterTest() : spool_(Spool::Open(directory_.Path("spool"), {}).value()) {
    key_.set_run("20261130-210836-k3f9");
    key_.set_trial(3);
    key_.set_attempt(2);
    key_.set_epoch(5);
  }

  // All chunks that the spool holds, in order.
  std::vector<v1::Chunk> Drain() {
    std::vector<v1::Chunk> chunks;
    while (spool_->Count() > 0) {
      chunks.push_back(spool_->Next(absl::ZeroDuration()).value());
      v1::ChunkAck ack;
      *ack.mutable_key() = chunks.back().key();
      ack.set_role(chunks.back().role());
      ack.set_sequence(chunks.back().sequence());
      EXPECT_EQ(spool_->Acknowledge(ack), absl::OkStatus());
    }
    return chunks;
  }

  static v1::SampleBlock MakeBlock(int32_t number, int samples_count) {
    v1::SampleBlock block;
    block.set_block(number);
    block.set_is_warmup(number == 0);
    v1::StepColumn* step = block.add_steps();
    step->set_name("update");
    for (int i = 0; i < samples_count; ++i) {
      block.add_arm(static_cast<uint32_t>(i % 3));
      block.add_start_ns(int64_t{1'000'000} * i);
      block.add_value_ns(350'000 + i);
      step->add_ns(120'000 + i);
    }
    block.mutable_evidence()->set_duration_ns(int64_t{1'000'000} * samples_count);
    return block;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Spool> spool_;
  v1::AttemptKey key_;
};

TEST_F(AttemptWriterTest, WritesBlocksThenRecordThenManifest) {
  AttemptWriter writer(spool_.get(), key_, 77);
  ASSERT_EQ(writer.Add("workload", MakeBlock(0, 10)), absl::OkStatus());
  ASSERT_EQ(writer.Add("load", MakeBlock(0, 3)), absl::OkStatus());
  ASSERT_EQ(writer.Add("workload", MakeBlock(1, 20)), absl::OkStatus());
  v1::TrialRecord record;
  record.set_outcome(v1::TRIAL_OUTCOME_COMPLETED);
  ASSERT_EQ(writer.AddRecord(record), absl::OkStatus());
  ASSERT_EQ(writer.Close(), absl::OkStatus());

  const std::vector<v1::Chunk> chunks = Drain();
  ASSERT_EQ(chunks.size(), 5u);
  struct Expected {
    const char* role;
    int64_t sequence;
    v1::ChunkKind kind;
    int32_t count;
  };
  const Expected expected[] = {{"workload", 0, v1::CHUNK_KIND_SAMPLES, 10},
                               {"load", 0, v1::CHUNK_KIND_SAMPLES, 3},
                               {"workload", 1, v1::CHUNK_KIND_SAMPLES, 20},
                               {"", 0, v1::CHUNK_KIND_RECORD, 0},
                               {"", 1, v1::CHUNK_KIND_MANIFEST, 0}};
  for (size_t i = 0; i < chunks.size(); ++i) {
    EXPECT_TRUE(MessageDifferencer::Equals(chunks[i].key(), key_));
    EXPECT_EQ(chunks[i].role(), expected[i].role);
    EXPECT_EQ(chunks[i].sequence(), expected[i].sequence);
    EXPECT_EQ(chunks[i].kind(), expected[i].kind);
    EXPECT_EQ(chunks[i].count(), expected[i].count);
    EXPECT_EQ(chunks[i].incarnation(), 77);
    EXPECT_EQ(chunks[i].crc32c(), Crc32c(chunks[i].payload()));
  }
  v1::SampleBlock block;
  ASSERT_TRUE(block.ParseFromString(chunks[2].payload()));
  EXPECT_TRUE(MessageDifferencer::Equals(block, MakeBlock(1, 20)));
  ASSERT_TRUE(record.ParseFromString(chunks[3].payload()));
  EXPECT_EQ(record.blocks_count(), 3);
  EXPECT_EQ(record.samples_count(), 33);
  v1::Manifest manifest;
  ASSERT_TRUE(manifest.ParseFromString(chunks[4].payload()));
  EXPECT_EQ(manifest.ShortDebugString(),
            "roles { chunks_count: 1 } "
            "roles { role: \"load\" chunks_count: 1 samples_count: 3 } "
            "roles { role: \"workload\" chunks_count: 2 samples_count: 30 }");
}

TEST_F(AttemptWriterTest, CutsALargeBlockIntoChunksThatJoinToTheSameSamples) {
  v1::SampleBlock block = MakeBlock(4, 100'000);
  block.set_warmup_samples(70'000);
  ASSERT_GT(static_cast<int64_t>(block.ByteSizeLong()), 2 * kChunkBytesMax);
  AttemptWriter writer(spool_.get(), key_, 77);
  ASSERT_EQ(writer.Add("workload", block), absl::OkStatus());
  EXPECT_EQ(writer.samples_count(), 100'000);

  v1::SampleBlock joined;
  for (const v1::Chunk& chunk : Drain()) {
    EXPECT_LE(static_cast<int64_t>(chunk.payload().size()), kChunkBytesMax);
    v1::SampleBlock piece;
    ASSERT_TRUE(piece.ParseFromString(chunk.payload()));
    EXPECT_EQ(piece.block(), 4);
    EXPECT_EQ(piece.value_ns_size(), chunk.count());
    EXPECT_EQ(piece.has_evidence(), chunk.sequence() == 0);
    EXPECT_EQ(piece.warmup_samples(), chunk.sequence() == 0 ? 70'000 : 0);
    if (chunk.sequence() == 0) {
      joined = piece;
      continue;
    }
    joined.mutable_arm()->MergeFrom(piece.arm());
    joined.mutable_start_ns()->MergeFrom(piece.start_ns());
    joined.mutable_value_ns()->MergeFrom(piece.value_ns());
    joined.mutable_steps(0)->mutable_ns()->MergeFrom(piece.steps(0).ns());
  }
  EXPECT_TRUE(MessageDifferencer::Equals(joined, block));
}

TEST_F(AttemptWriterTest, SaysWhatTheSpoolRefuses) {
  v1::TrialRecord record;
  record.set_detail(std::string(kChunkBytesMax, 'x'));
  AttemptWriter writer(spool_.get(), key_, 77);
  EXPECT_EQ(writer.AddRecord(record).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tare::agent
