#include "proxy/profile_text.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enum_word.h"
#include "base/near_word.h"
#include "base/status.h"
#include "base/units.h"

namespace tare::proxy {
namespace {

using google::protobuf::EnumDescriptor;

// The number of the enum value that is written as `word`.
absl::StatusOr<int> ParseWord(const EnumDescriptor* words, absl::string_view name,
                              const std::string& word) {
  std::vector<std::string> known;
  for (int i = 1; i < words->value_count(); ++i) {
    known.push_back(YamlWord(words->value(i)));
    if (known.back() == word) return words->value(i)->number();
  }
  const std::optional<std::string> near = NearWord(word, known);
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat(name, ": '", word, "' is not known"))
      .Detail(absl::StrCat("known: ", absl::StrJoin(known, ", ")))
      .Try(near.has_value() ? absl::StrCat("did you mean '", *near, "'?") : "");
}

template <typename Enum>
absl::Status ReadWord(absl::string_view name, const std::optional<std::string>& word,
                      const EnumDescriptor* words, v1::Proxy* proxy, void (v1::Proxy::*set)(Enum)) {
  if (!word.has_value()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const int number, ParseWord(words, name, *word));
  (proxy->*set)(static_cast<Enum>(number));
  return absl::OkStatus();
}

absl::Status ReadDuration(absl::string_view name, const std::optional<std::string>& text,
                          v1::Proxy* proxy, void (v1::Proxy::*set)(int64_t)) {
  if (!text.has_value()) return absl::OkStatus();
  const absl::StatusOr<int64_t> value_ns = ParseDurationNs(*text);
  if (!value_ns.ok()) return Annotate(value_ns.status(), name);
  (proxy->*set)(*value_ns);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Profile>> ParseProfile(const ProfileText& text) {
  v1::Proxy asked;
  RETURN_IF_ERROR(ReadDuration("delay", text.delay, &asked, &v1::Proxy::set_delay_ns));
  RETURN_IF_ERROR(ReadDuration("spread", text.spread, &asked, &v1::Proxy::set_spread_ns));
  RETURN_IF_ERROR(
      ReadWord("law", text.law, v1::DelayLaw_descriptor(), &asked, &v1::Proxy::set_law));
  RETURN_IF_ERROR(ReadWord("direction", text.direction, v1::Direction_descriptor(), &asked,
                           &v1::Proxy::set_direction));
  RETURN_IF_ERROR(
      ReadWord("record", text.record, v1::Recording_descriptor(), &asked, &v1::Proxy::set_record));
  if (text.trace.has_value()) asked.set_trace(*text.trace);
  if (text.bytes_per_second.has_value()) {
    int64_t bytes = 0;
    if (!absl::SimpleAtoi(*text.bytes_per_second, &bytes) || bytes < kBandwidthMin) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("bytes-per-second: '", *text.bytes_per_second,
                                    "' is no number of at least ", kBandwidthMin));
    }
    asked.set_bytes_per_second(bytes);
  }
  return MakeProfile(std::move(asked));
}

}  // namespace tare::proxy
