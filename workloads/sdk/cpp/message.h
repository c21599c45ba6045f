// The JSON lines of the workload protocol, as the process reads and writes them.
//
// Private to the SDK. Pure functions. Lines come from an agent of the same protocol version, so
// unknown keys are ignored and missing ones are defaults; what has the wrong type or an impossible
// value makes Parse return an Error. Nothing throws.

#ifndef TARE_WORKLOADS_SDK_CPP_MESSAGE_H_
#define TARE_WORKLOADS_SDK_CPP_MESSAGE_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "workloads/sdk/cpp/block.h"
#include "workloads/sdk/cpp/workload.h"

namespace tare::sdk {

struct SetupMessage {
  TrialSetup setup;
  std::vector<std::string> runs;  // by arm
};
struct CollectMessage {};
struct ByeMessage {};
using Message = std::variant<Error, SetupMessage, BlockRequest, CollectMessage, ByeMessage>;

// One line without its newline. The alternative Error says why it is none of the messages.
Message ParseMessage(const std::string& line);

// Each returns one line with its newline.
std::string HelloLine(bool is_continuous);
std::string ReadyLine(const SetupMessage& setup);
std::string SamplesLine(const BlockRequest& request, const Block& block,
                        const std::vector<std::string>& steps);
std::string EvidenceLine(const std::vector<Arm>& arms, const std::vector<Evidence>& evidence);
std::string ByeLine();
std::string ErrorLine(const Error& error);

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_MESSAGE_H_
