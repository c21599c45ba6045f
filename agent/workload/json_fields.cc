#include "agent/workload/json_fields.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tare::agent {
namespace {

// Watches the parser: keeps the keys of the objects that are open, and the first offence.
class Watch {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kJsonDepthMax) offence_ = absl::StrCat("nesting deeper than ", kJsonDepthMax);
    switch (event) {
      case Json::parse_event_t::object_start:
        open_.emplace_back();
        break;
      case Json::parse_event_t::object_end:
        open_.pop_back();
        break;
      case Json::parse_event_t::key: {
        const std::string& key = parsed.get_ref<const std::string&>();
        if (!open_.back().insert(key).second) offence_ = absl::StrCat("key '", key, "' twice");
        break;
      }
      default:
        break;
    }
    return true;
  }
  const std::string& offence() const { return offence_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string offence_;
};

}  // namespace

absl::StatusOr<Json> ParseJsonObject(absl::string_view text) {
  Watch watch;
  Json parsed = Json::parse(text.begin(), text.end(), std::ref(watch), /*allow_exceptions=*/false);
  if (!watch.offence().empty()) return absl::DataLossError(watch.offence());
  if (parsed.is_discarded()) return absl::DataLossError("not JSON");
  if (!parsed.is_object()) return absl::DataLossError("not a JSON object");
  return parsed;
}

JsonFields::JsonFields(const Json& object, std::string where)
    : object_(object), where_(std::move(where)) {
  if (!object.is_object()) status_ = absl::DataLossError(absl::StrCat(where_, " is not an object"));
}

int64_t JsonFields::Integer(const char* name, int64_t minimum, int64_t maximum) {
  const Json* value = Take(name);
  if (value == nullptr) return 0;
  if (IsInteger(*value)) {
    const int64_t integer = value->get<int64_t>();
    if (integer >= minimum && integer <= maximum) return integer;
  }
  Complain(name, maximum == INT64_MAX ? absl::StrCat("an integer of at least ", minimum)
                                      : absl::StrCat("an integer from ", minimum, " to ", maximum));
  return 0;
}

bool JsonFields::Flag(const char* name) {
  const Json* value = Take(name);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  Complain(name, "true or false");
  return false;
}

std::string JsonFields::Text(const char* name) {
  const Json* value = Take(name);
  if (value == nullptr) return "";
  if (value->is_string()) return value->get<std::string>();
  Complain(name, "a text");
  return "";
}

std::vector<int64_t> JsonFields::Integers(const char* name, int64_t minimum, int64_t maximum) {
  const Json& array = Array(name);
  std::vector<int64_t> integers;
  integers.reserve(array.size());
  for (const Json& element : array) {
    const bool is_integer = IsInteger(element);
    const int64_t integer = is_integer ? element.get<int64_t>() : 0;
    if (!is_integer || integer < minimum || integer > maximum) {
      Complain(absl::StrCat(name, "[", integers.size(), "]").c_str(),
               absl::StrCat("an integer of at least ", minimum));
      return integers;
    }
    integers.push_back(integer);
  }
  return integers;
}

const Json& JsonFields::Array(const char* name) {
  static const Json& empty = *new Json(Json::array());
  const Json* value = Take(name);
  if (value == nullptr) return empty;
  if (value->is_array()) return *value;
  Complain(name, "an array");
  return empty;
}

const Json& JsonFields::Object(const char* name) {
  static const Json& empty = *new Json(Json::object());
  const Json* value = Take(name);
  if (value == nullptr) return empty;
  if (value->is_object()) return *value;
  Complain(name, "an object");
  return empty;
}

absl::Status JsonFields::status() const {
  if (!status_.ok()) return status_;
  for (const auto& [key, value] : object_.items()) {
    if (taken_.count(key) > 0) continue;
    return absl::DataLossError(absl::StrCat("unknown field '", where_, ".", key, "'"));
  }
  return absl::OkStatus();
}

const Json* JsonFields::Take(const char* name) {
  taken_.insert(name);
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

void JsonFields::Complain(const char* name, absl::string_view expected) {
  if (!status_.ok()) return;
  status_ = absl::DataLossError(absl::StrCat("'", where_, ".", name, "' is not ", expected));
}

bool IsInteger(const Json& value) {
  if (value.is_number_unsigned()) return value.get<uint64_t>() <= uint64_t{INT64_MAX};
  return value.is_number_integer();
}

}  // namespace tare::agent
