#include "base/status.h"

#include <cerrno>
#include <system_error>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"

namespace tare {
namespace {

constexpr char kDetailUrl[] = "tare/detail";
constexpr char kTryUrl[] = "tare/try";

std::string PayloadOf(const absl::Status& status, absl::string_view url) {
  absl::optional<absl::Cord> payload = status.GetPayload(url);
  return payload.has_value() ? std::string(*payload) : std::string();
}

absl::StatusCode CodeOfErrno(int error_number) {
  switch (error_number) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
      return absl::StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
      return absl::StatusCode::kResourceExhausted;
    case EAGAIN:
      return absl::StatusCode::kUnavailable;
    default:
      return absl::StatusCode::kInternal;
  }
}

}  // namespace

ErrorBuilder::operator absl::Status() const {
  absl::Status status(code_, what_);
  if (!detail_.empty()) status.SetPayload(kDetailUrl, absl::Cord(detail_));
  if (!try_.empty()) status.SetPayload(kTryUrl, absl::Cord(try_));
  return status;
}

ErrorParts PartsOf(const absl::Status& status) {
  return {std::string(status.message()), PayloadOf(status, kDetailUrl), PayloadOf(status, kTryUrl)};
}

std::string FormatError(const absl::Status& status) {
  if (status.ok()) return "";
  ErrorParts parts = PartsOf(status);
  std::string text = parts.what;
  if (!parts.detail.empty()) absl::StrAppend(&text, "\n  detail: ", parts.detail);
  if (!parts.action.empty()) absl::StrAppend(&text, "\n  try: ", parts.action);
  return text;
}

absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok()) return status;
  absl::Status annotated(status.code(), absl::StrCat(context, ": ", status.message()));
  status.ForEachPayload([&annotated](absl::string_view url, const absl::Cord& payload) {
    annotated.SetPayload(url, payload);
  });
  return annotated;
}

ErrorBuilder ErrnoError(int error_number, absl::string_view what) {
  return MakeError(CodeOfErrno(error_number),
                   absl::StrCat(what, ": ", std::generic_category().message(error_number)));
}

}  // namespace tare
