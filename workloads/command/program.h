// A program with its arguments, found and ready to be executed.

#ifndef TARE_WORKLOADS_COMMAND_PROGRAM_H_
#define TARE_WORKLOADS_COMMAND_PROGRAM_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "workloads/sdk/cpp/error.h"

namespace tare::command {

struct Program {
  std::string path;                    // of the file
  std::vector<std::string> arguments;  // as argv, the program's own name first
};

// Finds arguments[0]: as it is when it has a '/', else in PATH. An Error when it does not exist or
// is not an executable file. Requires: at least one argument.
std::variant<sdk::Error, Program> FindProgram(std::vector<std::string> arguments);

// The arguments as a person would type them, for messages.
std::string Shown(const Program& program);

}  // namespace tare::command

#endif  // TARE_WORKLOADS_COMMAND_PROGRAM_H_
