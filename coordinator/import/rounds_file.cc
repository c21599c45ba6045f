#include "coordinator/import/rounds_file.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "coordinator/import/duration_unit.h"

namespace tare::coordinator {
namespace {

using Json = nlohmann::json;

// Reads the fields of one line; complains and goes on, so that a line's errors are all told.
class Line {
 public:
  // Both must outlive it.
  Line(const Json& object, const FileLine& where, FileErrors* errors)
      : object_(object), where_(where), errors_(errors) {}

  bool is_good() const { return is_good_; }

  std::string Arm() {
    const Json* value = Find("arm");
    if (value != nullptr && value->is_string() && !value->get<std::string>().empty()) {
      return value->get<std::string>();
    }
    Complain("arm", value, "the arm's name as a text");
    return "";
  }

  int64_t Integer(const char* key, int64_t maximum) {
    const Json* value = Find(key);
    if (value != nullptr && value->is_number_integer() && *value >= 0 && *value <= maximum) {
      return value->get<int64_t>();
    }
    Complain(key, value, absl::StrCat("a whole number from 0 to ", maximum));
    return 0;
  }

  double Number(const char* key) {
    const Json* value = Find(key);
    if (value != nullptr && value->is_number() && *value >= 0) return value->get<double>();
    Complain(key, value, "a number from 0");
    return 0;
  }

  std::vector<int64_t> Samples() {
    const DurationUnit* unit = nullptr;
    for (const DurationUnit& candidate : kDurationUnits) {
      if (!Has(candidate.name)) continue;
      if (unit != nullptr) {
        Refuse(absl::StrCat("has '", unit->name, "' and '", candidate.name, "'"), "one of them");
        return {};
      }
      unit = &candidate;
    }
    if (unit == nullptr) {
      Refuse("has no samples", "a list of numbers 'ms', 'us' or 'ns'");
      return {};
    }
    return SamplesIn(*unit);
  }

  bool Has(absl::string_view key) const { return object_.contains(std::string(key)); }

  void Refuse(absl::string_view what, absl::string_view accepted) {
    errors_->Add(where_, what, accepted);
    is_good_ = false;
  }

 private:
  const Json* Find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  void Complain(absl::string_view key, const Json* value, absl::string_view accepted) {
    Refuse(value == nullptr ? absl::StrCat("has no '", key, "'")
                            : absl::StrCat("'", key, "' is ", Shown(*value)),
           accepted);
  }

  // A value as it was written, or the kind of a long one.
  static std::string Shown(const Json& value) {
    if (value.is_structured()) return value.is_array() ? "a list" : "an object";
    constexpr size_t kShownBytesMax = 60;
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= kShownBytesMax ? text : "a long text";
  }

  std::vector<int64_t> SamplesIn(const DurationUnit& unit) {
    const Json& list = object_.at(std::string(unit.name));
    if (!list.is_array() || list.empty()) {
      Complain(unit.name, &list, "a list of at least one number");
      return {};
    }
    std::vector<int64_t> values_ns;
    values_ns.reserve(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      std::optional<int64_t> ns;
      if (list[i].is_number()) ns = ToNs(list[i].get<double>(), unit);
      if (!ns.has_value()) {
        // One complaint a line: a wrong unit makes all of its samples wrong.
        Complain(absl::StrCat(unit.name, "[", i, "]"), &list[i], kSampleAccepted);
        return {};
      }
      values_ns.push_back(*ns);
    }
    return values_ns;
  }

  const Json& object_;
  const FileLine& where_;
  FileErrors* errors_;
  bool is_good_ = true;
};

// Null, with a complaint, when the line is not one JSON object.
Json ParseLine(absl::string_view text, const FileLine& where, FileErrors* errors) {
  constexpr char kAccepted[] = "one JSON object a line";
  try {
    Json object = Json::parse(text);
    if (object.is_object()) return object;
    errors->Add(where, "is not a JSON object", kAccepted);
  } catch (const Json::parse_error& error) {
    errors->Add(where, absl::StrCat("is not JSON from byte ", error.byte, " on"), kAccepted);
  } catch (const Json::out_of_range&) {
    errors->Add(where, "has a number too large to be held", kAccepted);
  }
  return nullptr;
}

}  // namespace

std::vector<MeasuredProcess> ReadRoundsFile(absl::string_view text, const std::string& file,
                                            FileErrors* errors) {
  std::vector<MeasuredProcess> processes;
  int64_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    const FileLine where = {file, number};
    const Json object = ParseLine(line, where, errors);
    if (object.is_null()) continue;
    Line fields(object, where, errors);
    MeasuredProcess process;
    process.where = where;
    process.arm = fields.Arm();
    process.round = static_cast<int32_t>(fields.Integer("round", kRoundNumberMax));
    if (fields.Has("errors")) process.errors = fields.Integer("errors", INT32_MAX);
    if (fields.Has("queries")) process.queries = fields.Number("queries");
    process.values_ns = fields.Samples();
    if (fields.is_good()) processes.push_back(std::move(process));
  }
  return processes;
}

}  // namespace tare::coordinator
