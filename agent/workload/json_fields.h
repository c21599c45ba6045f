// Strict reading of JSON that a measured program wrote.
//
// ParseJsonObject refuses what the JSON library would let pass: duplicate keys, deep nesting, text
// after the object. JsonFields then takes the fields of one object one by one and knows, at the
// end, which were never asked for. Not thread-safe. nlohmann::json stays inside agent/workload.

#ifndef TARE_AGENT_WORKLOAD_JSON_FIELDS_H_
#define TARE_AGENT_WORKLOAD_JSON_FIELDS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tare::agent {

using Json = nlohmann::ordered_json;

// Deeper than this is not the protocol.
inline constexpr int kJsonDepthMax = 8;

// DataLoss, with the reason as its text, when `text` is not one JSON object by the rules above.
absl::StatusOr<Json> ParseJsonObject(absl::string_view text);

// A missing field is its default: 0, false, "" or empty. A field of the wrong type is its default
// too, and remembered: look at status() when all fields are read.
class JsonFields {
 public:
  // `object` must outlive this; `where` names it in errors ("ready.arms[1]").
  JsonFields(const Json& object, std::string where);

  int64_t Integer(const char* name, int64_t minimum, int64_t maximum = INT64_MAX);
  bool Flag(const char* name);
  std::string Text(const char* name);
  std::vector<int64_t> Integers(const char* name, int64_t minimum, int64_t maximum = INT64_MAX);

  // An empty array or object when missing; lives as long as the object.
  const Json& Array(const char* name);
  const Json& Object(const char* name);

  // DataLoss with the first field that was wrong, or else the first that nobody read.
  absl::Status status() const;

 private:
  const Json* Take(const char* name);
  void Complain(const char* name, absl::string_view expected);

  const Json& object_;
  std::string where_;
  std::set<std::string> taken_;
  absl::Status status_;
};

// True for a plain integer that fits in 64 bits with a sign.
bool IsInteger(const Json& value);

}  // namespace tare::agent

#endif  // TARE_AGENT_WORKLOAD_JSON_FIELDS_H_
