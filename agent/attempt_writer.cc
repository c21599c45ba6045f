#include "agent/attempt_writer.h"

#include <utility>

#include "base/crc32c.h"
#include "base/status.h"

namespace tare::agent {
namespace {

constexpr char kAttemptRole[] = "";

template <typename Field>
void CopyRange(const Field& from, int begin, int end, Field* to) {
  if (!from.empty()) to->Add(from.begin() + begin, from.begin() + end);
}

// Samples [begin, end) of `block`.
v1::SampleBlock Slice(const v1::SampleBlock& block, int begin, int end) {
  v1::SampleBlock slice;
  slice.set_block(block.block());
  slice.set_is_warmup(block.is_warmup());
  CopyRange(block.arm(), begin, end, slice.mutable_arm());
  CopyRange(block.start_ns(), begin, end, slice.mutable_start_ns());
  CopyRange(block.value_ns(), begin, end, slice.mutable_value_ns());
  CopyRange(block.applied_ns(), begin, end, slice.mutable_applied_ns());
  for (const v1::StepColumn& step : block.steps()) {
    v1::StepColumn* part = slice.add_steps();
    part->set_name(step.name());
    CopyRange(step.ns(), begin, end, part->mutable_ns());
  }
  if (begin > 0) return slice;
  slice.set_warmup_samples(block.warmup_samples());
  if (block.has_evidence()) *slice.mutable_evidence() = block.evidence();
  return slice;
}

}  // namespace

AttemptWriter::AttemptWriter(Spool* spool, v1::AttemptKey key, int64_t incarnation)
    : spool_(spool), key_(std::move(key)), incarnation_(incarnation) {}

absl::Status AttemptWriter::Add(const std::string& role, const v1::SampleBlock& block) {
  RETURN_IF_ERROR(AddSamples(role, block, 0, block.value_ns_size()));
  ++blocks_count_;
  samples_count_ += block.value_ns_size();
  return absl::OkStatus();
}

absl::Status AttemptWriter::AddSamples(const std::string& role, const v1::SampleBlock& block,
                                       int begin, int end) {
  std::string payload = Slice(block, begin, end).SerializeAsString();
  if (static_cast<int64_t>(payload.size()) > kChunkBytesMax && end - begin > 1) {
    const int middle = begin + (end - begin) / 2;
    RETURN_IF_ERROR(AddSamples(role, block, begin, middle));
    return AddSamples(role, block, middle, end);
  }
  return Append(role, v1::CHUNK_KIND_SAMPLES, end - begin, std::move(payload));
}

absl::Status AttemptWriter::AddRecord(v1::TrialRecord record) {
  record.set_blocks_count(blocks_count_);
  record.set_samples_count(samples_count_);
  return Append(kAttemptRole, v1::CHUNK_KIND_RECORD, 0, record.SerializeAsString());
}

absl::Status AttemptWriter::Close() {
  v1::Manifest manifest;
  for (const auto& [role, totals] : roles_) *manifest.add_roles() = totals;
  return Append(kAttemptRole, v1::CHUNK_KIND_MANIFEST, 0, manifest.SerializeAsString());
}

absl::Status AttemptWriter::Append(const std::string& role, v1::ChunkKind kind, int count,
                                   std::string payload) {
  v1::RoleManifest& totals = roles_[role];
  v1::Chunk chunk;
  *chunk.mutable_key() = key_;
  chunk.set_role(role);
  chunk.set_sequence(totals.chunks_count());
  chunk.set_kind(kind);
  chunk.set_incarnation(incarnation_);
  chunk.set_count(count);
  chunk.set_crc32c(Crc32c(payload));
  chunk.set_payload(std::move(payload));
  RETURN_IF_ERROR(spool_->Append(chunk));
  totals.set_role(role);
  totals.set_chunks_count(totals.chunks_count() + 1);
  totals.set_samples_count(totals.samples_count() + count);
  return absl::OkStatus();
}

}  // namespace tare::agent
