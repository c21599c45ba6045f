#include "agent/upload.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/channel.h"
#include "base/status.h"
#include "spdlog/spdlog.h"
#include "tare/v1/session_service.grpc.pb.h"

namespace tare::agent {
namespace {

constexpr absl::Duration kRetryFirst = absl::Milliseconds(100);
constexpr absl::Duration kRetryMax = absl::Seconds(5);

// The coordinator will say the same of this chunk every time.
bool IsFinal(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsDataLoss(status) || absl::IsNotFound(status);
}

class GrpcUpload : public Upload {
 public:
  GrpcUpload(const std::string& coordinator, Spool* spool)
      : stub_(v1::SessionService::NewStub(MakeChannel(coordinator))),
        spool_(spool),
        thread_([this] { Work(); }) {}

  ~GrpcUpload() override {
    {
      absl::MutexLock lock(&mutex_);
      is_stopping_ = true;
      if (context_ != nullptr) context_->TryCancel();
    }
    spool_->Stop();
    thread_.join();
  }

 private:
  using Stream = grpc::ClientReaderWriter<v1::Chunk, v1::ChunkAck>;

  void Work() {
    absl::Duration pause = kRetryFirst;
    while (true) {
      const absl::Status status = SendUntilError();
      if (Pause(absl::ZeroDuration())) return;
      spdlog::warn("upload: {}; again in {}", std::string(status.message()),
                   absl::FormatDuration(pause));
      if (Pause(pause)) return;
      pause = std::min(pause * 2, kRetryMax);
    }
  }

  // Waits; true when stopping.
  bool Pause(absl::Duration duration) {
    absl::MutexLock lock(&mutex_);
    return mutex_.AwaitWithTimeout(absl::Condition(&is_stopping_), duration);
  }

  // One stream for as long as it works.
  absl::Status SendUntilError() {
    grpc::ClientContext context;
    {
      absl::MutexLock lock(&mutex_);
      if (is_stopping_) return absl::CancelledError("stopping");
      context_ = &context;
    }
    std::unique_ptr<Stream> stream = stub_->Upload(&context);
    v1::Chunk chunk;
    const absl::Status status = SendOnStream(*stream, &chunk);
    {
      absl::MutexLock lock(&mutex_);
      context_ = nullptr;
    }
    if (!IsFinal(status)) return status;
    // Said loudly, then let go: it would hold up everything behind it for ever.
    spdlog::error("the coordinator does not take a chunk of run {}, trial {}: {}",
                  chunk.key().run(), chunk.key().trial(), std::string(status.message()));
    v1::ChunkAck given_up;
    *given_up.mutable_key() = chunk.key();
    given_up.set_role(chunk.role());
    given_up.set_sequence(chunk.sequence());
    RETURN_IF_ERROR(spool_->Acknowledge(given_up));
    return status;
  }

  // Never OK. `chunk` is the one that was being sent.
  absl::Status SendOnStream(Stream& stream, v1::Chunk* chunk) {
    while (true) {
      absl::StatusOr<v1::Chunk> next = spool_->Next(absl::InfiniteDuration());
      if (!next.ok()) {
        stream.WritesDone();
        stream.Finish();
        return next.status();
      }
      *chunk = *std::move(next);
      v1::ChunkAck ack;
      if (!stream.Write(*chunk) || !stream.Read(&ack)) {
        const absl::Status status = FromGrpc(stream.Finish());
        return status.ok() ? absl::UnavailableError("the coordinator closed the upload") : status;
      }
      RETURN_IF_ERROR(spool_->Acknowledge(ack));
    }
  }

  std::unique_ptr<v1::SessionService::Stub> stub_;
  Spool* const spool_;
  absl::Mutex mutex_;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Upload> StartUpload(const std::string& coordinator, Spool* spool) {
  return std::make_unique<GrpcUpload>(coordinator, spool);
}

}  // namespace tare::agent
