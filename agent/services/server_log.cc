#include "agent/services/server_log.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace tare::agent {
namespace {

constexpr size_t kLastLinesMax = 6;

// "2026-11-30 21:36:01.123 UTC [4711] FATAL:  …" begins where its severity does.
absl::string_view WithoutStamp(absl::string_view line) {
  const size_t bracket = line.find("] ");
  const bool is_stamped = !line.empty() && absl::ascii_isdigit(static_cast<unsigned char>(line[0]));
  return is_stamped && bracket != absl::string_view::npos ? line.substr(bracket + 2) : line;
}

}  // namespace

std::string LastWords(absl::string_view log) {
  std::vector<absl::string_view> lines;
  for (absl::string_view line : absl::StrSplit(log, '\n')) {
    line = absl::StripAsciiWhitespace(WithoutStamp(line));
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > kLastLinesMax) lines.erase(lines.begin(), lines.end() - kLastLinesMax);
  return absl::StrJoin(lines, "; ");
}

absl::StatusCode CodeOfServerText(absl::string_view log) {
  if (absl::StrContains(log, "No space left on device") ||
      absl::StrContains(log, "Disk quota exceeded")) {
    return absl::StatusCode::kResourceExhausted;
  }
  for (absl::string_view words :
       {"invalid value for parameter", "unrecognized configuration parameter", "contains errors",
        "is outside the valid range", "requires a numeric value", "requires a Boolean value",
        "syntax error in file"}) {
    if (absl::StrContains(log, words)) return absl::StatusCode::kInvalidArgument;
  }
  return absl::StatusCode::kUnavailable;
}

bool SaysPortIsTaken(absl::string_view log) {
  return absl::StrContains(log, "Address already in use");
}

}  // namespace tare::agent
