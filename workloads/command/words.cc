#include "workloads/command/words.h"

#include <cctype>

namespace tare::command {

std::variant<sdk::Error, std::vector<std::string>> SplitWords(const std::string& line) {
  std::vector<std::string> words;
  bool is_in_word = false;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      is_in_word = false;
      continue;
    }
    if (!is_in_word) words.emplace_back();
    is_in_word = true;
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'') {
      if (i + 1 == line.size()) return sdk::Error{"'" + line + "' ends in a backslash", "", ""};
      const bool is_escape = quote == 0 || line[i + 1] == '"' || line[i + 1] == '\\';
      words.back().push_back(is_escape ? line[++i] : c);
    } else {
      words.back().push_back(c);
    }
  }
  if (quote != 0) return sdk::Error{"'" + line + "' has a quote without end", "", ""};
  if (words.empty()) return sdk::Error{"a command has no words", "", ""};
  return words;
}

}  // namespace tare::command
