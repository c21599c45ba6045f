#include "agent/session.h"

#include <grpcpp/grpcpp.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "agent/channel.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "tare/v1/session_service.grpc.pb.h"

namespace tare::agent {
namespace {

using Stream = grpc::ClientReaderWriter<v1::AgentMessage, v1::CoordinatorMessage>;

class GrpcSession : public Session {
 public:
  explicit GrpcSession(const SessionOptions& options)
      : stub_(v1::SessionService::NewStub(MakeChannel(options.coordinator))),
        stop_fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

  ~GrpcSession() override {
    context_.TryCancel();
    if (reader_.joinable()) reader_.join();
    if (heart_.joinable()) heart_.join();
  }

  absl::Status Open(const SessionOptions& options) {
    stream_ = stub_->Session(&context_);
    v1::AgentMessage hello;
    *hello.mutable_register_() = options.registration;
    stream_->Write(hello);
    reader_ = std::thread([this] { ReadUntilEnd(); });
    std::optional<v1::CoordinatorMessage> first = Next(options.connect_timeout);
    if (!first.has_value()) {
      context_.TryCancel();
      reader_.join();
      return OpenError(options);
    }
    if (!first->has_lease() || first->lease().protocol() != kSessionProtocol) {
      return MakeError(
          absl::StatusCode::kFailedPrecondition,
          absl::StrCat("coordinator at '", options.coordinator,
                       "' did not answer with a lease of protocol ", kSessionProtocol));
    }
    lease_ = first->lease();
    heart_ = std::thread([this] { Beat(); });
    return absl::OkStatus();
  }

  const v1::Lease& lease() const override { return lease_; }

  std::optional<v1::CoordinatorMessage> Next(absl::Duration timeout) override {
    absl::MutexLock lock(&mutex_);
    mutex_.AwaitWithTimeout(absl::Condition(
                                +[](GrpcSession* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mutex_) {
                                  return self->has_ended_ || !self->inbox_.empty();
                                },
                                this),
                            timeout);
    if (inbox_.empty()) return std::nullopt;
    v1::CoordinatorMessage message = std::move(inbox_.front());
    inbox_.pop_front();
    return message;
  }

  bool is_open() override {
    absl::MutexLock lock(&mutex_);
    return !has_ended_;
  }

  absl::Status end_status() override {
    absl::MutexLock lock(&mutex_);
    return end_status_;
  }

  int stop_fd() const override { return stop_fd_.get(); }

  void ArmStop(const v1::AttemptKey& attempt) override {
    absl::MutexLock lock(&mutex_);
    attempt_ = attempt;
    if (has_ended_) return;
    uint64_t count = 0;
    if (read(stop_fd_.get(), &count, sizeof count) < 0) return;  // was not raised
  }

  absl::Status Send(const v1::AgentMessage& message) override {
    absl::MutexLock lock(&write_mutex_);
    if (stream_->Write(message)) return absl::OkStatus();
    return MakeError(absl::StatusCode::kUnavailable, "the coordinator's session is over");
  }

 private:
  void ReadUntilEnd() {
    v1::CoordinatorMessage message;
    while (stream_->Read(&message)) {
      absl::MutexLock lock(&mutex_);
      if (StopsCurrent(message)) RaiseStop();
      inbox_.push_back(std::move(message));
      message.Clear();
    }
    const grpc::Status status = stream_->Finish();
    absl::MutexLock lock(&mutex_);
    has_ended_ = true;
    end_status_ = FromGrpc(status);
    RaiseStop();
  }

  bool StopsCurrent(const v1::CoordinatorMessage& message) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return message.has_cancel() && message.cancel().key().run() == attempt_.run() &&
           message.cancel().key().trial() == attempt_.trial() &&
           message.cancel().key().attempt() == attempt_.attempt();
  }

  void RaiseStop() {
    const uint64_t one = 1;
    if (write(stop_fd_.get(), &one, sizeof one) < 0) return;  // cannot happen: far from 2^64
  }

  void Beat() {
    const absl::Duration interval = absl::Nanoseconds(lease_.ttl_ns()) / 3;
    while (true) {
      v1::AgentMessage message;
      {
        absl::MutexLock lock(&mutex_);
        if (mutex_.AwaitWithTimeout(absl::Condition(&has_ended_), interval)) return;
        message.mutable_heartbeat()->set_epoch(lease_.epoch());
        if (!attempt_.run().empty()) *message.mutable_heartbeat()->mutable_attempt() = attempt_;
      }
      if (!Send(message).ok()) return;
    }
  }

  absl::Status OpenError(const SessionOptions& options) {
    const absl::Status why = end_status();
    if (absl::IsFailedPrecondition(why) || absl::IsAlreadyExists(why)) return why;
    return MakeError(absl::StatusCode::kUnavailable,
                     absl::StrCat("cannot open a session with the coordinator at '",
                                  options.coordinator, "'"))
        .Detail(why.message())
        .Try("check that it runs and listens there");
  }

  std::unique_ptr<v1::SessionService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<Stream> stream_;
  UniqueFd stop_fd_;
  v1::Lease lease_;
  absl::Mutex write_mutex_;
  absl::Mutex mutex_;
  bool has_ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status end_status_ ABSL_GUARDED_BY(mutex_);
  v1::AttemptKey attempt_ ABSL_GUARDED_BY(mutex_);
  std::deque<v1::CoordinatorMessage> inbox_ ABSL_GUARDED_BY(mutex_);
  std::thread reader_;
  std::thread heart_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> OpenSession(const SessionOptions& options) {
  auto session = std::make_unique<GrpcSession>(options);
  RETURN_IF_ERROR(session->Open(options));
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace tare::agent
