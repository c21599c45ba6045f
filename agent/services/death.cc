#include "agent/services/death.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "agent/services/server_log.h"
#include "base/status.h"

namespace tare::agent {
namespace {

// From the end of its sockets to its exit status.
constexpr absl::Duration kExitTimeMax = absl::Seconds(2);

}  // namespace

absl::Status DeathOf(Process& process, absl::string_view subject, absl::string_view when) {
  ASSIGN_OR_RETURN(const ExitStatus exit, process.Wait(kExitTimeMax));
  const std::string said = LastWords(process.LogTail());
  return MakeError(absl::StatusCode::kUnavailable,
                   absl::StrCat(subject, " ", HowItEnded(exit), when.empty() ? "" : " ", when))
      .Detail(said.empty() ? "it wrote nothing" : said);
}

}  // namespace tare::agent
