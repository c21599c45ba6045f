#include "coordinator/store/row_writer.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

struct Case {
  RowValue value;
  const char* csv;
  const char* json;
};

TEST(RowWriter, WritesEveryValueAsRfc4180AndJsonWantIt) {
  const Case cases[] = {
      {std::monostate(), "", "null"},
      {true, "true", "true"},
      {int64_t{-5}, "-5", "-5"},
      {std::numeric_limits<int64_t>::max(), "9223372036854775807", "9223372036854775807"},
      {0.1, "0.1", "0.1"},
      {std::numeric_limits<double>::infinity(), "inf", "null"},
      {std::string("plain"), "plain", "\"plain\""},
      {std::string("a,b"), "\"a,b\"", "\"a,b\""},
      {std::string("a\"b"), "\"a\"\"b\"", "\"a\\\"b\""},
      {std::string("a\nb"), "\"a\nb\"", "\"a\\nb\""},
      {std::string("ü\xff"), "ü\xff", "\"ü\xef\xbf\xbd\""},
  };
  for (const Case& test : cases) {
    for (const RowFormat format : {RowFormat::kCsv, RowFormat::kJsonLines}) {
      std::string text;
      RowWriter writer(format, {"a", "b,c"}, [&text](absl::string_view piece) {
        absl::StrAppend(&text, piece);
        return absl::OkStatus();
      });
      ASSERT_EQ(writer.Write({test.value, int64_t{1}}), absl::OkStatus());
      ASSERT_EQ(writer.Finish(), absl::OkStatus());
      EXPECT_EQ(text, format == RowFormat::kCsv
                          ? absl::StrCat("a,\"b,c\"\r\n", test.csv, ",1\r\n")
                          : absl::StrCat("{\"a\":", test.json, ",\"b,c\":1}\n"));
    }
  }
}

TEST(RowWriter, HandsOnPiecesSoThatMemoryStaysBounded) {
  size_t largest = 0;
  size_t total = 0;
  RowWriter writer(RowFormat::kCsv, {"text"}, [&](absl::string_view piece) {
    largest = std::max(largest, piece.size());
    total += piece.size();
    return absl::OkStatus();
  });
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(writer.Write({std::string(998, 'x')}), absl::OkStatus());
  }
  ASSERT_EQ(writer.Finish(), absl::OkStatus());
  EXPECT_EQ(total, 1000u * 1000u + 6u);
  EXPECT_LE(largest, (64u << 10) + 1000u);
}

}  // namespace
}  // namespace tare::coordinator
