// What a workload says when it cannot go on.

#ifndef TARE_WORKLOADS_SDK_CPP_ERROR_H_
#define TARE_WORKLOADS_SDK_CPP_ERROR_H_

#include <string>

namespace tare::sdk {

// Functions of this SDK that can go wrong return std::optional<Error>: nothing when all is well.
struct Error {
  std::string message;  // one line, the object first: "arm 'copy': config 'plans' is 0"
  std::string detail;   // expected against got; may be empty
  std::string code;     // a refusal code such as "different-work"; empty for a plain failure
};

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_ERROR_H_
