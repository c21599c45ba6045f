// How this agent reaches its coordinator over gRPC.

#ifndef TARE_AGENT_CHANNEL_H_
#define TARE_AGENT_CHANNEL_H_

#include <memory>
#include <string>

#include "absl/status/status.h"

namespace grpc {
class Channel;
class Status;
}  // namespace grpc

namespace tare::agent {

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& coordinator);

absl::Status FromGrpc(const grpc::Status& status);

}  // namespace tare::agent

#endif  // TARE_AGENT_CHANNEL_H_
