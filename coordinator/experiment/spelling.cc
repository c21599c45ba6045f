#include "coordinator/experiment/spelling.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "base/units.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;

// " from 1 to 10", " of at least 1", " of at most 10", or nothing.
std::string BoundsText(const v1::Rule& rule, std::string (*format)(int64_t)) {
  if (rule.has_minimum() && rule.has_maximum()) {
    return absl::StrCat(" from ", format(rule.minimum()), " to ", format(rule.maximum()));
  }
  if (rule.has_minimum()) return absl::StrCat(" of at least ", format(rule.minimum()));
  if (rule.has_maximum()) return absl::StrCat(" of at most ", format(rule.maximum()));
  return "";
}

std::string FormatInteger(int64_t value) { return absl::StrCat(value); }

std::string FormatPercent(int64_t ppm) {
  return absl::StrCat(static_cast<double>(ppm) / 10'000, "%");
}

std::string NumberText(const v1::Rule& rule) {
  switch (rule.unit()) {
    case v1::UNIT_DURATION_NS:
      return absl::StrCat("a duration such as 250us,", BoundsText(rule, FormatDurationExact));
    case v1::UNIT_PERCENT_PPM:
      return absl::StrCat("a percentage such as 5%,", BoundsText(rule, FormatPercent));
    default:
      return absl::StrCat("a whole number", BoundsText(rule, FormatInteger));
  }
}

// Insertions, deletions, replacements and swaps of neighbours.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

const v1::Rule& RuleOf(const FieldDescriptor& field) {
  return field.options().GetExtension(v1::rule);
}

std::string KeyOf(const FieldDescriptor& field) {
  absl::string_view key = field.name();
  if (RuleOf(field).unit() == v1::UNIT_DURATION_NS) absl::ConsumeSuffix(&key, "_ns");
  if (RuleOf(field).unit() == v1::UNIT_PERCENT_PPM) absl::ConsumeSuffix(&key, "_ppm");
  return std::string(key);
}

std::string WordOf(const EnumValueDescriptor& value) {
  // The prefix is that of the zero value, <PREFIX>_UNSPECIFIED.
  absl::string_view prefix = value.type()->value(0)->name();
  absl::ConsumeSuffix(&prefix, "UNSPECIFIED");
  absl::string_view word = value.name();
  absl::ConsumePrefix(&word, prefix);
  return absl::StrReplaceAll(absl::AsciiStrToLower(word), {{"_", "-"}});
}

std::vector<std::string> WordsOf(const EnumDescriptor& type) {
  std::vector<std::string> words;
  for (int i = 1; i < type.value_count(); ++i) words.push_back(WordOf(*type.value(i)));
  return words;
}

const FieldDescriptor* SoleFieldOf(const Descriptor& type) {
  if (type.field_count() != 2 || type.field(0)->name() != "name") return nullptr;
  return type.field(1)->is_repeated() ? type.field(1) : nullptr;
}

std::string AcceptedText(const FieldDescriptor& field) {
  const v1::Rule& rule = RuleOf(field);
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (field.message_type() == v1::ConfigValue::descriptor()) {
        return "a number, true, false, text, or a list of these";
      }
      return "a mapping";
    case FieldDescriptor::CPPTYPE_ENUM:
      return absl::StrJoin(WordsOf(*field.enum_type()), ", ");
    case FieldDescriptor::CPPTYPE_STRING:
      if (rule.is_name()) {
        return "letters, digits, '-', '_' and '.', starting with a letter, at most 64";
      }
      return "text";
    default: {
      std::string text = NumberText(rule);
      for (const v1::Word& word : rule.words()) absl::StrAppend(&text, ", or ", word.text());
      return text;
    }
  }
}

std::optional<std::string> NearestWord(absl::string_view word,
                                       const std::vector<std::string>& candidates) {
  constexpr size_t kWordBytesMax = 64;  // the distance costs their product
  if (word.size() > kWordBytesMax) return std::nullopt;
  size_t nearest = word.size() <= 3 ? 1 : word.size() <= 6 ? 2 : 3;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance > nearest || distance >= candidate.size()) continue;
    if (found.has_value() && distance == nearest) continue;
    nearest = distance;
    found = candidate;
  }
  return found;
}

}  // namespace tare::coordinator
