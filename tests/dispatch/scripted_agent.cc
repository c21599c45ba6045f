#include "tests/dispatch/scripted_agent.h"

#include <grpcpp/grpcpp.h>

#include <utility>

#include "coordinator/dispatch/session_server.h"
#include "tare/v1/session_service.grpc.pb.h"

namespace tare::coordinator {

struct ScriptedAgent::Grpc {
  std::unique_ptr<v1::SessionService::Stub> stub;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::AgentMessage, v1::CoordinatorMessage>> stream;
};

ScriptedAgent::ScriptedAgent(const std::string& address, const std::string& id, Answer answer)
    : grpc_(std::make_unique<Grpc>()) {
  grpc_->stub =
      v1::SessionService::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc_->stream = grpc_->stub->Session(&grpc_->context);
  v1::AgentMessage hello;
  hello.mutable_register_()->set_agent_id(id);
  hello.mutable_register_()->set_incarnation(1);
  hello.mutable_register_()->set_protocol_min(kSessionProtocol);
  hello.mutable_register_()->set_protocol_max(kSessionProtocol);
  grpc_->stream->Write(hello);
  thread_ = std::thread([this, answer = std::move(answer)] {
    v1::CoordinatorMessage message;
    while (grpc_->stream->Read(&message)) {
      if (!answer(message, *this)) grpc_->context.TryCancel();
    }
    grpc_->stream->Finish();
  });
}

ScriptedAgent::~ScriptedAgent() {
  grpc_->context.TryCancel();
  thread_.join();
}

void ScriptedAgent::Send(const v1::AgentMessage& message) { grpc_->stream->Write(message); }

bool ScriptedAgent::Upload(const v1::Chunk& chunk) {
  grpc::ClientContext context;
  auto stream = grpc_->stub->Upload(&context);
  v1::ChunkAck ack;
  const bool is_acknowledged = stream->Write(chunk) && stream->Read(&ack);
  stream->WritesDone();
  stream->Finish();
  return is_acknowledged;
}

void ScriptedAgent::AbandonUpload(const v1::Chunk& chunk, const absl::Notification& begun) {
  grpc::ClientContext context;
  auto stream = grpc_->stub->Upload(&context);
  stream->Write(chunk);
  begun.WaitForNotification();
  context.TryCancel();
  stream->Finish();
}

void ScriptedAgent::Deliver(const v1::AttemptKey& key, v1::TrialOutcome outcome) {
  v1::Chunk manifest;
  *manifest.mutable_key() = key;
  manifest.set_kind(v1::CHUNK_KIND_MANIFEST);
  Upload(manifest);
  v1::AgentMessage message;
  *message.mutable_finished()->mutable_key() = key;
  message.mutable_finished()->set_outcome(outcome);
  Send(message);
}

}  // namespace tare::coordinator
