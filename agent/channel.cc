#include "agent/channel.h"

#include <grpcpp/grpcpp.h>

#include "agent/session.h"

namespace tare::agent {

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& coordinator) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMessageBytesMax);
  // The coordinator is where it was told to be; a proxy of the environment must not come between.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(coordinator, grpc::InsecureChannelCredentials(), arguments);
}

absl::Status FromGrpc(const grpc::Status& status) {
  return {static_cast<absl::StatusCode>(status.error_code()), status.error_message()};
}

}  // namespace tare::agent
