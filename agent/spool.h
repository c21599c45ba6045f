// A durable queue of chunks between measuring and sending.
//
// What Append has taken survives kill -9 of the agent and the death of the machine, until it is
// acknowledged. Chunks come out in the order in which they went in. Not a database: a chunk that
// was acknowledged may come out again after a crash, which the store takes as the duplicate that it
// is.
//
// On disk: segments "N.spool" in one directory, each a row of frames (magic, length, crc32c,
// chunk). One write and one fdatasync a chunk; a segment is deleted when all its chunks are
// acknowledged.
//
// Thread-safe, for one thread that appends and one that sends.
//
//   ASSIGN_OR_RETURN(std::unique_ptr<Spool> spool, Spool::Open(directory, {}));
//   RETURN_IF_ERROR(spool->Append(chunk));                                  // measuring thread
//   ASSIGN_OR_RETURN(v1::Chunk next, spool->Next(absl::Seconds(30)));       // sending thread
//   …send, wait for its ChunkAck…
//   RETURN_IF_ERROR(spool->Acknowledge(ack));

#ifndef TARE_AGENT_SPOOL_H_
#define TARE_AGENT_SPOOL_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/unique_fd.h"
#include "tare/v1/session.pb.h"

namespace tare::agent {

// Of a chunk's payload.
inline constexpr int64_t kChunkBytesMax = 512 << 10;
inline constexpr int64_t kSpoolBytesMax = 256 << 20;

struct SpoolOptions {
  int64_t bytes_max = kSpoolBytesMax;   // of chunks that wait
  int64_t segment_bytes_max = 8 << 20;  // a new segment is begun beyond that
};

// What Open found.
struct SpoolRecovery {
  int64_t chunks_count = 0;  // that wait to be sent
  // After the last whole chunk of a segment. A writer that was killed leaves less than one chunk
  // there, which was never promised; more means that the disk lost data.
  int64_t discarded_bytes = 0;
};

class Spool {
 public:
  // Opens the spool of `directory`, which is created if its parent exists. Unavailable when another
  // process has it open; otherwise as errno says.
  static absl::StatusOr<std::unique_ptr<Spool>> Open(const std::string& directory,
                                                     const SpoolOptions& options);
  ~Spool();

  const SpoolRecovery& recovery() const { return recovery_; }

  // Returns when the chunk is on disk. InvalidArgument for a payload of more than kChunkBytesMax;
  // ResourceExhausted when `bytes_max` or the disk is full. After an error the chunk is not in the
  // spool.
  absl::Status Append(const v1::Chunk& chunk);

  // The oldest chunk, which stays until it is acknowledged. Waits at most `timeout` for one:
  // DeadlineExceeded. Cancelled after Stop. DataLoss when it cannot be read back; it is then
  // dropped, and the attempt's manifest will show that it is missing.
  absl::StatusOr<v1::Chunk> Next(absl::Duration timeout);

  // Forgets the oldest chunk if it is the one that `ack` names; otherwise nothing (an
  // acknowledgement may come twice).
  absl::Status Acknowledge(const v1::ChunkAck& ack);

  // Ends the wait of Next, now and from now on. What waits stays on disk.
  void Stop();

  // How many chunks wait.
  int64_t Count() const;

 private:
  struct Frame {
    int64_t offset = 0;  // of its header in the segment
    int64_t bytes = 0;   // with header
  };
  struct Segment {
    std::string path;
    UniqueFd fd;
    int64_t bytes = 0;         // written, all of whole frames
    std::deque<Frame> frames;  // not yet acknowledged
  };

  Spool(std::string directory, const SpoolOptions& options);

  absl::Status Recover() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status RecoverSegment(const std::string& path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status StartSegment() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<v1::Chunk> ReadOldest() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status DropOldest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasChunkOrStopped() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return count_ > 0 || is_stopped_;
  }

  const std::string directory_;
  const SpoolOptions options_;
  UniqueFd directory_fd_;  // locked, so that no other agent uses the spool
  SpoolRecovery recovery_;

  mutable absl::Mutex mutex_;
  std::deque<Segment> segments_ ABSL_GUARDED_BY(mutex_);  // the last one is written to
  int64_t segment_number_ ABSL_GUARDED_BY(mutex_) = 0;    // of the newest segment ever
  int64_t count_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_SPOOL_H_
