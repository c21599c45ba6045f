#include "coordinator/experiment/utf8.h"

#include <string>

#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

// The first and last characters of each length, and the neighbours of the surrogates.
TEST(Utf8, AcceptsWellFormedText) {
  for (const char* text :
       {"", "a\t\r\n~", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(FindByteThatIsNotText(text), absl::string_view::npos) << text;
  }
}

TEST(Utf8, FindsTheFirstByteThatIsNotText) {
  for (const char* bad : {"\x01", "\x1B", "\x7F", "\x80", "\xC1\xBF", "\xC2", "\xC2\x41",
                          "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82", "\xF0\x8F\xBF\xBF",
                          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(FindByteThatIsNotText(std::string("ab\xC3\xA9") + bad), 4u) << bad;
  }
}

}  // namespace
}  // namespace tare::coordinator
