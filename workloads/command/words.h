// A command line as words, by the plain part of a shell's rules and without a shell.

#ifndef TARE_WORKLOADS_COMMAND_WORDS_H_
#define TARE_WORKLOADS_COMMAND_WORDS_H_

#include <string>
#include <variant>
#include <vector>

#include "workloads/sdk/cpp/error.h"

namespace tare::command {

// Words are separated by white space. '…' keeps everything, "…" everything but \" and \\; outside
// of quotes a backslash keeps the next character. Nothing is expanded: '$', '*' and '|' are
// characters like others. An Error when a quote or a backslash has no end, or there is no word at
// all.
std::variant<sdk::Error, std::vector<std::string>> SplitWords(const std::string& line);

}  // namespace tare::command

#endif  // TARE_WORKLOADS_COMMAND_WORDS_H_
