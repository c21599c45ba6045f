#include "agent/spool.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/files.h"
#include "base/status.h"
#include "base/units.h"

namespace tare::agent {
namespace {

constexpr char kSegmentSuffix[] = ".spool";
constexpr uint32_t kFrameMagic = 0x4c505354;  // "TSPL"
// A chunk is its payload and a short envelope (names, numbers).
constexpr int64_t kFrameBytesMax = kChunkBytesMax + (64 << 10);

// In the byte order of the machine, which a spool never leaves.
struct FrameHeader {
  uint32_t magic = kFrameMagic;
  uint32_t length = 0;
  uint32_t crc32c = 0;
};

std::string MakeFrame(absl::string_view bytes) {
  const FrameHeader header{kFrameMagic, static_cast<uint32_t>(bytes.size()), Crc32c(bytes)};
  std::string frame(sizeof header, '\0');
  std::memcpy(frame.data(), &header, sizeof header);
  return frame.append(bytes.data(), bytes.size());
}

// The chunk bytes of the whole and sound frame that `bytes` begin with; empty when they do not.
absl::string_view FrameContent(absl::string_view bytes) {
  FrameHeader header;
  if (bytes.size() < sizeof header) return "";
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  if (header.magic != kFrameMagic || header.length > bytes.size()) return "";
  bytes = bytes.substr(0, header.length);
  return Crc32c(bytes) == header.crc32c ? bytes : "";
}

absl::StatusOr<std::vector<std::string>> ListSegments(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kSegmentSuffix) paths.push_back(entry->path());
  }
  if (error) return ErrnoError(error.value(), absl::StrCat("cannot list spool '", directory, "'"));
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Spool::Spool(std::string directory, const SpoolOptions& options)
    : directory_(std::move(directory)), options_(options) {}

Spool::~Spool() = default;

absl::StatusOr<std::unique_ptr<Spool>> Spool::Open(const std::string& directory,
                                                   const SpoolOptions& options) {
  if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return ErrnoError(errno, absl::StrCat("cannot create spool '", directory, "'"));
  }
  std::unique_ptr<Spool> spool(new Spool(directory, options));
  spool->directory_fd_ = UniqueFd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!spool->directory_fd_.is_open()) {
    return ErrnoError(errno, absl::StrCat("cannot open spool '", directory, "'"));
  }
  if (flock(spool->directory_fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) {
      return ErrnoError(errno, absl::StrCat("cannot lock spool '", directory, "'"));
    }
    return MakeError(absl::StatusCode::kUnavailable,
                     absl::StrCat("spool '", directory, "' is used by another agent"))
        .Try("stop that agent, or give this one another spool directory");
  }
  absl::MutexLock lock(&spool->mutex_);
  RETURN_IF_ERROR(spool->Recover());
  return spool;
}

absl::Status Spool::Recover() {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths, ListSegments(directory_));
  for (const std::string& path : paths) RETURN_IF_ERROR(RecoverSegment(path));
  recovery_.chunks_count = count_;
  return absl::OkStatus();
}

absl::Status Spool::RecoverSegment(const std::string& path) {
  int64_t number = 0;
  if (absl::SimpleAtoi(std::filesystem::path(path).stem().string(), &number)) {
    segment_number_ = std::max(segment_number_, number);
  }
  ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  Segment segment;
  segment.path = path;
  absl::string_view rest = content;
  for (absl::string_view chunk = FrameContent(rest); !chunk.empty(); chunk = FrameContent(rest)) {
    const int64_t bytes = static_cast<int64_t>(sizeof(FrameHeader) + chunk.size());
    segment.frames.push_back({segment.bytes, bytes});
    segment.bytes += bytes;
    rest.remove_prefix(static_cast<size_t>(bytes));
  }
  recovery_.discarded_bytes += static_cast<int64_t>(rest.size());
  if (segment.frames.empty()) {
    unlink(path.c_str());
    return absl::OkStatus();
  }
  segment.fd = UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!segment.fd.is_open() || ftruncate(segment.fd.get(), segment.bytes) != 0) {
    return ErrnoError(errno, absl::StrCat("cannot open spool segment '", path, "'"));
  }
  count_ += static_cast<int64_t>(segment.frames.size());
  bytes_ += segment.bytes;
  segments_.push_back(std::move(segment));
  return absl::OkStatus();
}

absl::Status Spool::StartSegment() {
  Segment segment;
  segment.path = absl::StrFormat("%s/%010d%s", directory_, ++segment_number_, kSegmentSuffix);
  segment.fd = UniqueFd(open(segment.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!segment.fd.is_open() || fsync(directory_fd_.get()) != 0) {
    return ErrnoError(errno, absl::StrCat("cannot create spool segment '", segment.path, "'"));
  }
  segments_.push_back(std::move(segment));
  return absl::OkStatus();
}

absl::Status Spool::Append(const v1::Chunk& chunk) {
  const std::string frame = MakeFrame(chunk.SerializeAsString());
  const int64_t payload_bytes = static_cast<int64_t>(chunk.payload().size());
  const int64_t frame_bytes = static_cast<int64_t>(frame.size());
  if (payload_bytes > kChunkBytesMax || frame_bytes > kFrameBytesMax) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("chunk ", chunk.sequence(), " of role '", chunk.role(), "' has ",
                                  payload_bytes, " bytes of payload"))
        .Detail(absl::StrCat("the limit is ", FormatBytes(kChunkBytesMax)));
  }
  absl::MutexLock lock(&mutex_);
  if (bytes_ + frame_bytes > options_.bytes_max) {
    return MakeError(absl::StatusCode::kResourceExhausted,
                     absl::StrCat("spool '", directory_, "' is full"))
        .Detail(absl::StrCat(count_, " chunks, ", FormatBytes(bytes_), " of at most ",
                             FormatBytes(options_.bytes_max), ", wait for the coordinator"))
        .Try("let the agent reach its coordinator again");
  }
  if (segments_.empty() || segments_.back().bytes >= options_.segment_bytes_max) {
    RETURN_IF_ERROR(StartSegment());
  }
  Segment& segment = segments_.back();
  const int fd = segment.fd.get();
  absl::Status status;
  if (lseek(fd, segment.bytes, SEEK_SET) < 0) status = ErrnoError(errno, "cannot seek");
  if (status.ok()) status = WriteFully(fd, frame);
  if (status.ok() && fdatasync(fd) != 0) status = ErrnoError(errno, "cannot sync");
  if (!status.ok()) {
    // If even this is refused, the next frame is written over what is there.
    (void)ftruncate(fd, segment.bytes);
    return Annotate(status, absl::StrCat("spool segment '", segment.path, "'"));
  }
  segment.frames.push_back({segment.bytes, frame_bytes});
  segment.bytes += frame_bytes;
  bytes_ += frame_bytes;
  ++count_;
  return absl::OkStatus();
}

absl::StatusOr<v1::Chunk> Spool::Next(absl::Duration timeout) {
  absl::MutexLock lock(&mutex_);
  if (!mutex_.AwaitWithTimeout(absl::Condition(this, &Spool::HasChunkOrStopped), timeout)) {
    return MakeError(absl::StatusCode::kDeadlineExceeded,
                     absl::StrCat("no chunk came for ", absl::FormatDuration(timeout)));
  }
  if (is_stopped_) return MakeError(absl::StatusCode::kCancelled, "the spool was stopped");
  absl::StatusOr<v1::Chunk> chunk = ReadOldest();
  if (absl::IsDataLoss(chunk.status())) RETURN_IF_ERROR(DropOldest());
  return chunk;
}

absl::StatusOr<v1::Chunk> Spool::ReadOldest() const {
  const Segment& segment = segments_.front();
  const Frame& frame = segment.frames.front();
  std::string bytes(static_cast<size_t>(frame.bytes), '\0');
  const ssize_t count = pread(segment.fd.get(), bytes.data(), bytes.size(), frame.offset);
  if (count < 0) return ErrnoError(errno, absl::StrCat("cannot read '", segment.path, "'"));
  bytes.resize(static_cast<size_t>(count));
  const absl::string_view content = FrameContent(bytes);
  v1::Chunk chunk;
  if (content.empty() || !chunk.ParseFromArray(content.data(), static_cast<int>(content.size()))) {
    return MakeError(absl::StatusCode::kDataLoss,
                     absl::StrCat("a chunk in spool segment '", segment.path, "' is damaged"))
        .Detail(absl::StrCat("at byte ", frame.offset))
        .Try("check the disk");
  }
  return chunk;
}

absl::Status Spool::Acknowledge(const v1::ChunkAck& ack) {
  absl::MutexLock lock(&mutex_);
  if (count_ == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const v1::Chunk oldest, ReadOldest());
  const bool is_oldest = oldest.key().run() == ack.key().run() &&
                         oldest.key().trial() == ack.key().trial() &&
                         oldest.key().attempt() == ack.key().attempt() &&
                         oldest.role() == ack.role() && oldest.sequence() == ack.sequence();
  return is_oldest ? DropOldest() : absl::OkStatus();
}

absl::Status Spool::DropOldest() {
  Segment& segment = segments_.front();
  bytes_ -= segment.frames.front().bytes;
  --count_;
  segment.frames.pop_front();
  if (!segment.frames.empty()) return absl::OkStatus();
  // Neither is synced: a chunk that comes back after a crash is sent again and known to the store.
  if (segments_.size() == 1) {
    segment.bytes = 0;
    if (ftruncate(segment.fd.get(), 0) == 0) return absl::OkStatus();
    return ErrnoError(errno, absl::StrCat("cannot empty '", segment.path, "'"));
  }
  const std::string path = segment.path;
  segments_.pop_front();
  if (unlink(path.c_str()) == 0) return absl::OkStatus();
  return ErrnoError(errno, absl::StrCat("cannot delete '", path, "'"));
}

void Spool::Stop() {
  absl::MutexLock lock(&mutex_);
  is_stopped_ = true;
}

int64_t Spool::Count() const {
  absl::MutexLock lock(&mutex_);
  return count_;
}

}  // namespace tare::agent
