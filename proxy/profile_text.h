// A profile as people write it, on the command line and on the control socket.

#ifndef TARE_PROXY_PROFILE_TEXT_H_
#define TARE_PROXY_PROFILE_TEXT_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "proxy/delay.h"

namespace tare::proxy {

// Each as it was written; absent ones have the default.
struct ProfileText {
  std::optional<std::string> delay = std::nullopt;  // "250us"
  std::optional<std::string> law = std::nullopt;  // "fixed", "uniform", "normal", "pareto", "trace"
  std::optional<std::string> spread = std::nullopt;            // "50us"
  std::optional<std::string> trace = std::nullopt;             // a file
  std::optional<std::string> direction = std::nullopt;         // "to-client", "to-server", "both"
  std::optional<std::string> bytes_per_second = std::nullopt;  // "1000000"
  std::optional<std::string> record = std::nullopt;            // "summary", "full"
};

// InvalidArgument, NotFound: what is wrong and what would be right.
absl::StatusOr<std::shared_ptr<const Profile>> ParseProfile(const ProfileText& text);

}  // namespace tare::proxy

#endif  // TARE_PROXY_PROFILE_TEXT_H_
