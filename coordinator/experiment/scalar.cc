#include "coordinator/experiment/scalar.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status.h"
#include "coordinator/experiment/violations.h"

namespace tare::coordinator {
namespace {

absl::Status Refuse(absl::string_view text, absl::string_view why) {
  return MakeError(absl::StatusCode::kInvalidArgument, absl::StrCat(Quote(text), why))
      .Try("write a plain decimal number, or quote it where text is meant");
}

size_t CountDigits(absl::string_view text) {
  size_t count = 0;
  while (count < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[count]))) {
    ++count;
  }
  return count;
}

absl::string_view WithoutSign(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "-")) absl::ConsumePrefix(&text, "+");
  return text;
}

bool IsDigits(absl::string_view text) { return !text.empty() && CountDigits(text) == text.size(); }

// [+-] digits [. digits] [e [+-] digits], with at least one digit before the exponent and a point
// or an exponent.
bool IsReal(absl::string_view text) {
  text = WithoutSign(text);
  const size_t whole = CountDigits(text);
  text.remove_prefix(whole);
  size_t fraction = 0;
  const bool has_point = absl::ConsumePrefix(&text, ".");
  if (has_point) {
    fraction = CountDigits(text);
    text.remove_prefix(fraction);
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return has_point;
  if (!absl::ConsumePrefix(&text, "e") && !absl::ConsumePrefix(&text, "E")) return false;
  return IsDigits(WithoutSign(text));
}

// Numbers of another base or of no value, as one YAML version or another reads them.
bool IsOtherBase(absl::string_view text) {
  const std::string body = absl::AsciiStrToLower(WithoutSign(text));
  if (body.size() < 3 || body[0] != '0') return false;
  const absl::string_view digits = absl::string_view(body).substr(2);
  if (body[1] == 'x') {
    return digits.find_first_not_of("0123456789abcdef") == absl::string_view::npos;
  }
  return (body[1] == 'o' || body[1] == 'b') && IsDigits(digits);
}

bool IsNotFinite(absl::string_view text) {
  const absl::string_view body = WithoutSign(text);
  return absl::EqualsIgnoreCase(body, ".nan") || absl::EqualsIgnoreCase(body, ".inf");
}

}  // namespace

bool IsPlainInteger(absl::string_view text) {
  absl::ConsumePrefix(&text, "-");
  return IsDigits(text) && (text.size() == 1 || text[0] != '0');
}

absl::Status ParseScalar(absl::string_view text, bool is_quoted, v1::ConfigValue* value) {
  int64_t integer = 0;
  double real = 0;
  if (is_quoted) {
    value->set_text(std::string(text));
  } else if (text == "true" || text == "false") {
    value->set_flag(text == "true");
  } else if (IsPlainInteger(text)) {
    if (!absl::SimpleAtoi(text, &integer)) return Refuse(text, " does not fit in 64 bits");
    value->set_integer(integer);
  } else if (IsDigits(WithoutSign(text))) {
    return Refuse(text,
                  " is not plain: a sign '+' or a leading zero is read differently elsewhere");
  } else if (IsOtherBase(text)) {
    return Refuse(text, " is not written in decimal digits");
  } else if (IsNotFinite(text)) {
    return Refuse(text, " is not a finite number");
  } else if (IsReal(text)) {
    if (!absl::SimpleAtod(text, &real) || !std::isfinite(real)) {
      return Refuse(text, " does not fit in a double");
    }
    value->set_real(real);
  } else {
    value->set_text(std::string(text));
  }
  return absl::OkStatus();
}

}  // namespace tare::coordinator
