// Writes one attempt's data into the spool: blocks, then the record, then the manifest.
//
// Cuts blocks into chunks, numbers and checksums them, and keeps the totals that prove
// completeness. Does not send: that is the upload's.
//
// Chunks of samples carry their role; record and manifest are of the whole attempt and carry the
// empty role. Not thread-safe. After an error the attempt cannot be completed: give it up. Errors
// are those of Spool::Append.

#ifndef TARE_AGENT_ATTEMPT_WRITER_H_
#define TARE_AGENT_ATTEMPT_WRITER_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "agent/spool.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/session.pb.h"

namespace tare::agent {

class AttemptWriter {
 public:
  // `spool` must outlive the writer.
  AttemptWriter(Spool* spool, v1::AttemptKey key, int64_t incarnation);

  // Takes the next block of `role`. One that does not fit into a chunk becomes several chunks of
  // the same block number, samples in order, start_ns still since the block's start, evidence and
  // the number of warm-up samples in the first. Requires: all columns of `block` have the same
  // length, or are empty.
  absl::Status Add(const std::string& role, const v1::SampleBlock& block);

  // Takes the attempt's record, after its last block; sets its blocks_count and samples_count.
  absl::Status AddRecord(v1::TrialRecord record);

  // Writes the manifest, which ends the attempt. Once, last.
  absl::Status Close();

  int64_t samples_count() const { return samples_count_; }

 private:
  absl::Status AddSamples(const std::string& role, const v1::SampleBlock& block, int begin,
                          int end);
  absl::Status Append(const std::string& role, v1::ChunkKind kind, int count, std::string payload);

  Spool* spool_;
  const v1::AttemptKey key_;
  const int64_t incarnation_;
  std::map<std::string, v1::RoleManifest> roles_;
  int32_t blocks_count_ = 0;
  int64_t samples_count_ = 0;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_ATTEMPT_WRITER_H_
