// Errors in three parts, and the two macros that pass them on.
//
// Every failure that a person may see carries what happened (one line, lower case, no full stop,
// the object named first), optionally a detail (expected against got, with units) and optionally
// one action to try. They travel inside an absl::Status, so any function returning Status can carry
// them. Not for programmer errors: those are CHECKs.
//
// Thread-safe: values only.
//
//   return MakeError(absl::StatusCode::kFailedPrecondition, "store 'lab.db' has schema 7")
//       .Detail("this tare understands up to 5")
//       .Try("upgrade tare, or open another store with --store");

#ifndef TARE_BASE_STATUS_H_
#define TARE_BASE_STATUS_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tare {

// Builds a Status with the three parts. Converts to absl::Status and to absl::StatusOr<T>.
class ErrorBuilder {
 public:
  ErrorBuilder(absl::StatusCode code, absl::string_view what) : code_(code), what_(what) {}

  ErrorBuilder& Detail(absl::string_view detail) {
    detail_ = std::string(detail);
    return *this;
  }
  ErrorBuilder& Try(absl::string_view action) {
    try_ = std::string(action);
    return *this;
  }

  operator absl::Status() const;  // NOLINT(google-explicit-constructor)
  template <typename T>
  operator absl::StatusOr<T>() const {  // NOLINT(google-explicit-constructor)
    return absl::Status(*this);
  }

 private:
  absl::StatusCode code_;
  std::string what_;
  std::string detail_;
  std::string try_;
};

inline ErrorBuilder MakeError(absl::StatusCode code, absl::string_view what) {
  return ErrorBuilder(code, what);
}

// The parts of a Status; detail and try are empty where it has none.
struct ErrorParts {
  std::string what;
  std::string detail;
  std::string action;
};
ErrorParts PartsOf(const absl::Status& status);

// The text that a person reads: "what", then indented "detail: …" and "try: …" lines. Empty when
// OK.
std::string FormatError(const absl::Status& status);

// The same status with "context: " before its first line; code, detail and try stay. OK stays OK.
absl::Status Annotate(const absl::Status& status, absl::string_view context);

// A Status for a failed system call: "what: <errno text>", code by errno (ENOENT is NotFound,
// EACCES and EPERM PermissionDenied, ENOSPC and EDQUOT ResourceExhausted, EAGAIN Unavailable,
// otherwise Internal).
ErrorBuilder ErrnoError(int error_number, absl::string_view what);

}  // namespace tare

#define TARE_CONCAT_INNER(a, b) a##b
#define TARE_CONCAT(a, b) TARE_CONCAT_INNER(a, b)

// Returns from the enclosing function when `expr`, an absl::Status, is not OK.
#define RETURN_IF_ERROR(expr)                                                     \
  do {                                                                            \
    if (absl::Status tare_status = (expr); !tare_status.ok()) return tare_status; \
  } while (false)

// Evaluates `expr`, an absl::StatusOr<T>; returns its status when not OK, else assigns to `lhs`.
#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_RETURN_INNER(TARE_CONCAT(tare_status_or_, __LINE__), lhs, expr)
#define ASSIGN_OR_RETURN_INNER(var, lhs, expr)   \
  auto var = (expr);                             \
  if (!var.ok()) return std::move(var).status(); \
  lhs = std::move(var).value()

#endif  // TARE_BASE_STATUS_H_
