#include "base/status.h"

#include <cerrno>

#include "gtest/gtest.h"

namespace tare {
namespace {

absl::Status Sample() {
  return MakeError(absl::StatusCode::kFailedPrecondition, "store 'lab.db' has schema 7")
      .Detail("this tare understands up to 5")
      .Try("upgrade tare");
}

TEST(Status, PrintsWhatDetailAndTry) {
  EXPECT_EQ(FormatError(Sample()),
            "store 'lab.db' has schema 7\n  detail: this tare understands up to 5\n"
            "  try: upgrade tare");
  EXPECT_EQ(FormatError(absl::OkStatus()), "");
}

TEST(Status, AnnotateKeepsCodeAndParts) {
  absl::Status annotated = Annotate(Sample(), "run 12");
  EXPECT_EQ(annotated.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(PartsOf(annotated).what, "run 12: store 'lab.db' has schema 7");
  EXPECT_EQ(PartsOf(annotated).action, "upgrade tare");
  EXPECT_TRUE(Annotate(absl::OkStatus(), "x").ok());
}

TEST(Status, ErrnoDecidesTheCode) {
  absl::Status status = ErrnoError(ENOSPC, "cannot write 'x'");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "cannot write 'x': No space left on device");
}

absl::StatusOr<int> Half(int value) {
  if (value % 2 != 0) return MakeError(absl::StatusCode::kInvalidArgument, "odd");
  return value / 2;
}

absl::StatusOr<int> Quarter(int value) {
  ASSIGN_OR_RETURN(int half, Half(value));
  return Half(half);
}

TEST(Status, MacrosPassErrorsOn) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_EQ(Quarter(6).status().message(), "odd");
  EXPECT_EQ(Quarter(3).status().message(), "odd");
}

}  // namespace
}  // namespace tare
