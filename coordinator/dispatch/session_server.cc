#include "coordinator/dispatch/session_server.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/server_posix.h>

#include <chrono>
#include <deque>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "base/status.h"
#include "coordinator/dispatch/peer_socket.h"
#include "coordinator/dispatch/session_hub.h"
#include "tare/v1/session_service.grpc.pb.h"

namespace tare::coordinator {
namespace {

grpc::Status ToGrpc(const absl::Status& status) {
  return {static_cast<grpc::StatusCode>(status.code()), FormatError(status)};
}

// A control stream. gRPC's threads call the On… methods; the hub calls Push and Close.
class ControlStream : public grpc::ServerBidiReactor<v1::AgentMessage, v1::CoordinatorMessage>,
                      public AgentStream,
                      public std::enable_shared_from_this<ControlStream> {
 public:
  explicit ControlStream(SessionHub* hub) : hub_(hub) {}

  // Keeps itself alive until gRPC says OnDone.
  void Begin() {
    self_ = shared_from_this();
    StartRead(&incoming_);
  }

  void Push(v1::CoordinatorMessage message) override {
    absl::MutexLock lock(&mutex_);
    if (is_finished_) return;
    outbox_.push_back(std::move(message));
    if (outbox_.size() == 1) StartWrite(&outbox_.front());
  }

  void Close(const absl::Status& status) override {
    absl::MutexLock lock(&mutex_);
    if (is_finished_) return;
    is_finished_ = true;
    Finish(ToGrpc(status));
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      Close(absl::OkStatus());
      return;
    }
    if (epoch_ == 0) {
      if (!Register()) return;
    } else {
      hub_->Receive(agent_, epoch_, std::move(incoming_));
    }
    incoming_.Clear();
    StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    absl::MutexLock lock(&mutex_);
    outbox_.pop_front();
    if (ok && !is_finished_ && !outbox_.empty()) StartWrite(&outbox_.front());
  }

  void OnCancel() override { Close(absl::CancelledError("session cancelled")); }

  void OnDone() override {
    if (epoch_ != 0) hub_->StreamEnded(agent_, epoch_);
    self_.reset();
  }

 private:
  bool Register() {
    absl::StatusOr<v1::Lease> lease =
        incoming_.has_register_()
            ? hub_->Register(incoming_.register_(), self_)
            : absl::InvalidArgumentError("the first message of a session must be register");
    if (!lease.ok()) {
      Close(lease.status());
      return false;
    }
    agent_ = incoming_.register_().agent_id();
    epoch_ = lease->epoch();
    v1::CoordinatorMessage message;
    *message.mutable_lease() = *std::move(lease);
    Push(std::move(message));
    return true;
  }

  SessionHub* const hub_;
  std::shared_ptr<ControlStream> self_;
  v1::AgentMessage incoming_;
  std::string agent_;
  int64_t epoch_ = 0;
  absl::Mutex mutex_;
  bool is_finished_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<v1::CoordinatorMessage> outbox_ ABSL_GUARDED_BY(mutex_);
};

class UploadStream;

// The thread that keeps chunks. Each stream has at most one chunk here, so the queue is bounded by
// the number of agents.
class Ingest {
 public:
  Ingest(ChunkHandler keep, SessionHub* hub)
      : keep_(std::move(keep)), hub_(hub), thread_([this] { Work(); }) {}
  ~Ingest() {
    {
      absl::MutexLock lock(&mutex_);
      is_stopping_ = true;
    }
    thread_.join();
  }
  void Add(std::shared_ptr<UploadStream> stream) {
    absl::MutexLock lock(&mutex_);
    waiting_.push_back(std::move(stream));
  }

 private:
  void Work();
  void Keep(UploadStream& stream);

  const ChunkHandler keep_;
  SessionHub* const hub_;
  absl::Mutex mutex_;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<std::shared_ptr<UploadStream>> waiting_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

// A data stream: reads one chunk, has it kept, acknowledges it, reads the next.
class UploadStream : public grpc::ServerBidiReactor<v1::Chunk, v1::ChunkAck>,
                     public std::enable_shared_from_this<UploadStream> {
 public:
  explicit UploadStream(Ingest* ingest) : ingest_(ingest) {}

  void Begin() {
    self_ = shared_from_this();
    StartRead(&chunk_);
  }

  const v1::Chunk& chunk() const { return chunk_; }

  // Called by the ingest, any time later: the stream may have ended, and gRPC's half of it be gone.
  void Acknowledge() {
    absl::MutexLock lock(&mutex_);
    if (is_finished_) return;
    ack_.Clear();
    *ack_.mutable_key() = chunk_.key();
    ack_.set_role(chunk_.role());
    ack_.set_sequence(chunk_.sequence());
    StartWrite(&ack_);
  }

  void Close(const absl::Status& status) {
    absl::MutexLock lock(&mutex_);
    if (std::exchange(is_finished_, true)) return;
    Finish(ToGrpc(status));
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      Close(absl::OkStatus());
    } else if (chunk_.ByteSizeLong() > kChunkMessageBytesMax) {
      Close(MakeError(absl::StatusCode::kInvalidArgument,
                      absl::StrCat("chunk of ", chunk_.ByteSizeLong(),
                                   " bytes is over the limit of ", kChunkMessageBytesMax)));
    } else {
      ingest_->Add(self_);
    }
  }

  void OnWriteDone(bool ok) override {
    if (!ok) {
      Close(absl::OkStatus());
      return;
    }
    chunk_.Clear();
    StartRead(&chunk_);
  }

  void OnCancel() override { Close(absl::CancelledError("upload cancelled")); }
  void OnDone() override { self_.reset(); }

 private:
  Ingest* const ingest_;
  std::shared_ptr<UploadStream> self_;
  v1::Chunk chunk_;
  v1::ChunkAck ack_;
  absl::Mutex mutex_;
  bool is_finished_ ABSL_GUARDED_BY(mutex_) = false;
};

void Ingest::Work() {
  while (true) {
    std::shared_ptr<UploadStream> stream;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(
          +[](Ingest* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mutex_) {
            return self->is_stopping_ || !self->waiting_.empty();
          },
          this));
      if (is_stopping_) return;
      stream = std::move(waiting_.front());
      waiting_.pop_front();
    }
    Keep(*stream);
  }
}

void Ingest::Keep(UploadStream& stream) {
  const v1::Chunk& chunk = stream.chunk();
  const absl::Status status = keep_(chunk);
  if (!status.ok()) {
    SessionEvent event;
    event.kind = SessionEvent::Kind::kUploadFailed;
    event.committed = chunk.key();
    event.status = status;
    hub_->Push(std::move(event));
    stream.Close(status);
    return;
  }
  if (chunk.kind() == v1::CHUNK_KIND_MANIFEST) {
    SessionEvent event;
    event.kind = SessionEvent::Kind::kCommitted;
    event.committed = chunk.key();
    hub_->Push(std::move(event));
  }
  stream.Acknowledge();
}

class Service : public v1::SessionService::CallbackService {
 public:
  Service(SessionHub* hub, Ingest* ingest) : hub_(hub), ingest_(ingest) {}

  grpc::ServerBidiReactor<v1::AgentMessage, v1::CoordinatorMessage>* Session(
      grpc::CallbackServerContext* /*context*/) override {
    auto stream = std::make_shared<ControlStream>(hub_);
    stream->Begin();
    return stream.get();
  }

  grpc::ServerBidiReactor<v1::Chunk, v1::ChunkAck>* Upload(
      grpc::CallbackServerContext* /*context*/) override {
    auto stream = std::make_shared<UploadStream>(ingest_);
    stream->Begin();
    return stream.get();
  }

 private:
  SessionHub* const hub_;
  Ingest* const ingest_;
};

bool IsLoopback(absl::string_view address) {
  return absl::StartsWith(address, "127.") || absl::StartsWith(address, "[::1]:") ||
         absl::StartsWith(address, "localhost:");
}

class GrpcSessionServer : public SessionServer {
 public:
  explicit GrpcSessionServer(const SessionServerOptions& options)
      : hub_(options.lease_ttl, Clock::Real()),
        ingest_(std::make_unique<Ingest>(options.keep_chunk, &hub_)),
        service_(&hub_, ingest_.get()) {}

  ~GrpcSessionServer() override {
    peer_socket_.reset();
    // Streams that are still open are cancelled at the deadline.
    if (server_) server_->Shutdown(std::chrono::system_clock::now() + kShutdownGrace);
    ingest_.reset();
  }

  absl::Status Start(const std::string& listen) {
    const bool is_unix =
        absl::StartsWith(listen, "unix:") || absl::StartsWith(listen, "unix-abstract:");
    if (!is_unix && !IsLoopback(listen)) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("will not listen on '", listen, "'"))
          .Detail("sessions are not encrypted; accepted: a loopback address or unix:/path")
          .Try("listen on 127.0.0.1 and reach it through an ssh tunnel");
    }
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    builder.SetMaxReceiveMessageSize(kMessageBytesMax);
    int port = 0;
    if (!is_unix) builder.AddListeningPort(listen, grpc::InsecureServerCredentials(), &port);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    server_ = builder.BuildAndStart();
    if (!server_ || (!is_unix && port == 0)) {
      return MakeError(absl::StatusCode::kUnavailable,
                       absl::StrCat("cannot listen on '", listen, "'"))
          .Try("choose another port, or 0 for a free one");
    }
    address_ = is_unix ? listen : absl::StrCat(listen.substr(0, listen.rfind(':')), ":", port);
    if (!is_unix) return absl::OkStatus();
    ASSIGN_OR_RETURN(peer_socket_, PeerSocket::Listen(listen, [this](int fd) {
                       grpc::AddInsecureChannelFromFd(server_.get(), fd);
                     }));
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }
  std::optional<SessionEvent> NextEvent(absl::Duration timeout) override {
    return hub_.NextEvent(timeout);
  }
  absl::Status Send(const std::string& agent, v1::CoordinatorMessage message) override {
    return hub_.Send(agent, std::move(message));
  }
  void Interrupt() override { hub_.Interrupt(); }

 private:
  static constexpr std::chrono::milliseconds kShutdownGrace{500};
  static constexpr int kMessageBytesMax = 1 << 20;

  SessionHub hub_;
  std::unique_ptr<Ingest> ingest_;
  Service service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<PeerSocket> peer_socket_;
  std::string address_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<SessionServer>> StartSessionServer(SessionServerOptions options) {
  auto server = std::make_unique<GrpcSessionServer>(options);
  RETURN_IF_ERROR(server->Start(options.listen));
  return std::unique_ptr<SessionServer>(std::move(server));
}

}  // namespace tare::coordinator
