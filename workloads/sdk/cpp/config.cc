#include "workloads/sdk/cpp/config.h"

#include <algorithm>
#include <charconv>

namespace tare::sdk {
namespace {

std::string Shown(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

std::string Join(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) {
    if (!joined.empty()) joined += ", ";
    joined += text;
  }
  return joined;
}

// A value as a person would write it in the experiment.
std::string Shown(const ConfigValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return Shown(*real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return std::string("[").append(Join(std::get<std::vector<std::string>>(value))).append("]");
}

}  // namespace

int64_t Config::Integer(const std::string& name, int64_t otherwise, int64_t minimum,
                        int64_t maximum) {
  int64_t value = otherwise;
  if (const ConfigValue* given = Find(name)) {
    const auto* integer = std::get_if<int64_t>(given);
    if (integer != nullptr && *integer >= minimum && *integer <= maximum) {
      value = *integer;
    } else {
      Complain(name,
               "an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    }
  }
  Resolve(name, value);
  return value;
}

double Config::Real(const std::string& name, double otherwise) {
  const ConfigValue* given = Find(name);
  if (given == nullptr) {
    Resolve(name, otherwise);
    return otherwise;
  }
  Resolve(name, *given);
  if (const auto* real = std::get_if<double>(given)) return *real;
  if (const auto* integer = std::get_if<int64_t>(given)) return static_cast<double>(*integer);
  Complain(name, "a number");
  return otherwise;
}

bool Config::Flag(const std::string& name, bool otherwise) {
  bool value = otherwise;
  if (const ConfigValue* given = Find(name)) {
    const auto* flag = std::get_if<bool>(given);
    if (flag == nullptr) Complain(name, "true or false");
    if (flag != nullptr) value = *flag;
  }
  Resolve(name, value);
  return value;
}

std::string Config::Text(const std::string& name, const std::string& otherwise) {
  std::string value = otherwise;
  if (const ConfigValue* given = Find(name)) {
    const auto* text = std::get_if<std::string>(given);
    if (text == nullptr) Complain(name, "a text");
    if (text != nullptr) value = *text;
  }
  Resolve(name, value);
  return value;
}

std::string Config::Choice(const std::string& name, const std::vector<std::string>& choices) {
  std::string value = Text(name, choices.front());
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  Complain(name, "one of: " + Join(choices));
  return choices.front();
}

std::variant<std::string, std::vector<std::string>> Config::TextOrList(const std::string& name) {
  const ConfigValue* given = Find(name);
  if (given == nullptr) return std::vector<std::string>();
  Resolve(name, *given);
  if (const auto* text = std::get_if<std::string>(given)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(given)) return *list;
  Complain(name, "a text or a list of texts");
  return std::vector<std::string>();
}

std::optional<Error> Config::FirstUnread() const {
  std::vector<std::string> known;
  for (const auto& [name, value] : resolved_) known.push_back(name);
  for (const auto& [name, value] : given_) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string accepted = known.empty() ? "none" : Join(known);
    return Error{"arm '" + arm_ + "': unknown config key '" + name + "'",
                 "this workload reads: " + accepted, ""};
  }
  return std::nullopt;
}

const ConfigValue* Config::Find(const std::string& name) const {
  for (const auto& [given_name, value] : given_) {
    if (given_name == name) return &value;
  }
  return nullptr;
}

void Config::Resolve(const std::string& name, ConfigValue value) {
  for (auto& [resolved_name, resolved_value] : resolved_) {
    if (resolved_name != name) continue;
    resolved_value = std::move(value);
    return;
  }
  resolved_.emplace_back(name, std::move(value));
}

void Config::Complain(const std::string& name, const std::string& expected) {
  if (error_.has_value()) return;
  error_ = Error{"arm '" + arm_ + "': config '" + name + "' is " + Shown(*Find(name)),
                 "expected " + expected, ""};
}

}  // namespace tare::sdk
