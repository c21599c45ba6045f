// An agent's end of the session protocol in the hands of a test: real sockets, no measuring.

#ifndef TARE_TESTS_DISPATCH_SCRIPTED_AGENT_H_
#define TARE_TESTS_DISPATCH_SCRIPTED_AGENT_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/synchronization/notification.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

class ScriptedAgent {
 public:
  // Connects, registers as `id`, and calls `answer` with every command; what it adds is sent. The
  // stream is dropped when it returns false.
  using Answer = std::function<bool(const v1::CoordinatorMessage&, ScriptedAgent& agent)>;
  ScriptedAgent(const std::string& address, const std::string& id, Answer answer);
  ~ScriptedAgent();

  void Send(const v1::AgentMessage& message);

  // Uploads a chunk on a stream of its own; true when it was acknowledged.
  bool Upload(const v1::Chunk& chunk);

  // Sends a chunk and gives its stream up once `begun` is notified, without an acknowledgement.
  void AbandonUpload(const v1::Chunk& chunk, const absl::Notification& begun);

  // Uploads a manifest of `key` and says Finished.
  void Deliver(const v1::AttemptKey& key, v1::TrialOutcome outcome);

 private:
  struct Grpc;
  std::unique_ptr<Grpc> grpc_;
  std::thread thread_;
};

}  // namespace tare::coordinator

#endif  // TARE_TESTS_DISPATCH_SCRIPTED_AGENT_H_
