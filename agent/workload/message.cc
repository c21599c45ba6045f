#include "agent/workload/message.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/workload/envelope.h"
#include "agent/workload/json_fields.h"
#include "base/status.h"

namespace tare::agent {
namespace {

Json ToJson(const v1::ConfigValue& value) {
  switch (value.value_case()) {
    case v1::ConfigValue::kText:
      return value.text();
    case v1::ConfigValue::kInteger:
      return value.integer();
    case v1::ConfigValue::kReal:
      return value.real();
    case v1::ConfigValue::kFlag:
      return value.flag();
    case v1::ConfigValue::kList: {
      Json list = Json::array();
      for (const std::string& text : value.list().values()) list.push_back(text);
      return list;
    }
    case v1::ConfigValue::VALUE_NOT_SET:
      break;
  }
  return "";
}

absl::Status ToConfigValue(const std::string& name, const Json& json, v1::ConfigValue& value) {
  value.set_name(name);
  if (json.is_string()) {
    value.set_text(json.get<std::string>());
  } else if (json.is_boolean()) {
    value.set_flag(json.get<bool>());
  } else if (IsInteger(json)) {
    value.set_integer(json.get<int64_t>());
  } else if (json.is_number_float()) {
    value.set_real(json.get<double>());
  } else if (json.is_array()) {
    v1::TextList& list = *value.mutable_list();
    for (const Json& element : json) {
      if (!element.is_string())
        return absl::DataLossError(
            absl::StrCat("config '", name, "' holds a list of something else than texts"));
      list.add_values(element.get<std::string>());
    }
  } else {
    return absl::DataLossError(
        absl::StrCat("config '", name, "' is no text, number, flag or list of texts"));
  }
  return absl::OkStatus();
}

absl::Status FillReady(const Json& body, const std::vector<std::string>& arms,
                       v1::WorkloadReady& ready) {
  JsonFields fields(body, "ready");
  for (const Json& element : fields.Array("arms")) {
    const int index = ready.arms_size();
    JsonFields arm_fields(element, absl::StrCat("ready.arms[", index, "]"));
    v1::SetupArm& arm = *ready.add_arms();
    arm.set_name(arm_fields.Text("name"));
    arm.set_runs(arm_fields.Text("runs"));
    for (const auto& [name, value] : arm_fields.Object("config").items()) {
      RETURN_IF_ERROR(ToConfigValue(name, value, *arm.add_config()));
    }
    for (const Json& service : arm_fields.Array("uses")) {
      if (!service.is_string()) return absl::DataLossError("ready: 'uses' is no list of texts");
      arm.add_uses(service.get<std::string>());
    }
    RETURN_IF_ERROR(arm_fields.status());
    const size_t position = static_cast<size_t>(index);
    if (position < arms.size() && arm.name() != arms[position]) {
      return absl::DataLossError(absl::StrCat("ready.arms[", index, "] is '", arm.name(),
                                              "', setup had '", arms[position], "' there"));
    }
  }
  RETURN_IF_ERROR(fields.status());
  if (static_cast<size_t>(ready.arms_size()) == arms.size()) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("ready has ", ready.arms_size(), " arms, setup had ", arms.size()));
}

absl::Status FillArmEvidence(JsonFields& fields, v1::ArmEvidence& arm) {
  arm.set_arm(fields.Text("arm"));
  arm.set_operations(fields.Integer("operations", 0));
  arm.set_checksum(fields.Text("checksum"));
  arm.set_records(fields.Integer("records", 0));
  const Json& counters = fields.Object("counters");
  JsonFields counter_fields(counters, "counters");
  for (const auto& [name, value] : counters.items()) {
    v1::Counter& counter = *arm.add_counters();
    counter.set_name(name);
    counter.set_value(counter_fields.Integer(name.c_str(), INT64_MIN));
  }
  RETURN_IF_ERROR(counter_fields.status());
  const Json& digests = fields.Object("digests");
  JsonFields digest_fields(digests, "digests");
  for (const auto& [name, value] : digests.items()) {
    v1::Digest& digest = *arm.add_digests();
    digest.set_name(name);
    digest.set_value(digest_fields.Text(name.c_str()));
  }
  RETURN_IF_ERROR(digest_fields.status());
  return fields.status();
}

absl::Status FillEvidence(const Json& body, const std::vector<std::string>& arms,
                          v1::WorkloadEvidence& evidence) {
  JsonFields fields(body, "evidence");
  for (const Json& element : fields.Array("arms")) {
    const size_t index = static_cast<size_t>(evidence.arms_size());
    JsonFields arm_fields(element, absl::StrCat("evidence.arms[", index, "]"));
    v1::ArmEvidence& arm = *evidence.add_arms();
    RETURN_IF_ERROR(FillArmEvidence(arm_fields, arm));
    if (index < arms.size() && arm.arm() != arms[index]) {
      return absl::DataLossError(absl::StrCat("evidence.arms[", index, "] is '", arm.arm(),
                                              "', setup had '", arms[index], "' there"));
    }
  }
  RETURN_IF_ERROR(fields.status());
  if (static_cast<size_t>(evidence.arms_size()) == arms.size()) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("evidence has ", evidence.arms_size(), " arms, setup had ", arms.size()));
}

}  // namespace

std::string SetupLine(const v1::Setup& setup) {
  Json arms = Json::array();
  for (const v1::SetupArm& arm : setup.arms()) {
    Json config = Json::object();
    for (const v1::ConfigValue& value : arm.config()) config[value.name()] = ToJson(value);
    Json uses = Json::array();
    for (const std::string& service : arm.uses()) uses.push_back(service);
    arms.push_back({{"name", arm.name()},
                    {"runs", arm.runs()},
                    {"config", std::move(config)},
                    {"uses", std::move(uses)}});
  }
  Json services = Json::array();
  for (const v1::ServiceAddress& service : setup.services()) {
    services.push_back({{"name", service.name()}, {"address", service.address()}});
  }
  return Line("setup", {{"arms", std::move(arms)},
                        {"services", std::move(services)},
                        {"seed", setup.seed()},
                        {"samples_max", setup.samples_max()}});
}

std::string CollectLine() { return Line("collect", Json::object()); }
std::string AgentByeLine() { return Line("bye", Json::object()); }

absl::StatusOr<v1::Hello> ParseHello(absl::string_view line) {
  ASSIGN_OR_RETURN(const Json body, OpenEnvelope(line, "hello"));
  JsonFields fields(body, "hello");
  v1::Hello hello;
  hello.set_protocol(static_cast<int32_t>(fields.Integer("protocol", 0, INT32_MAX)));
  if (hello.protocol() != kWorkloadProtocol) {
    return MakeError(absl::StatusCode::kDataLoss,
                     absl::StrCat("workload speaks protocol ", hello.protocol(),
                                  ", this agent speaks ", kWorkloadProtocol))
        .Try("build the workload with the SDK of this tare");
  }
  hello.set_harness(fields.Text("harness"));
  hello.set_runtime(fields.Text("runtime"));
  hello.set_clock(fields.Text("clock"));
  hello.set_tick_ns(fields.Integer("tick_ns", 0));
  hello.set_continuous(fields.Flag("continuous"));
  if (absl::Status status = fields.status(); !status.ok()) {
    return NotTheProtocol(line, status.message());
  }
  return hello;
}

absl::StatusOr<v1::WorkloadReady> ParseReady(absl::string_view line,
                                             const std::vector<std::string>& arms) {
  ASSIGN_OR_RETURN(const Json body, OpenEnvelope(line, "ready"));
  v1::WorkloadReady ready;
  if (absl::Status status = FillReady(body, arms, ready); !status.ok()) {
    return NotTheProtocol(line, status.message());
  }
  return ready;
}

absl::StatusOr<v1::WorkloadEvidence> ParseEvidence(absl::string_view line,
                                                   const std::vector<std::string>& arms) {
  ASSIGN_OR_RETURN(const Json body, OpenEnvelope(line, "evidence"));
  v1::WorkloadEvidence evidence;
  if (absl::Status status = FillEvidence(body, arms, evidence); !status.ok()) {
    return NotTheProtocol(line, status.message());
  }
  return evidence;
}

absl::Status ParseBye(absl::string_view line) {
  ASSIGN_OR_RETURN(const Json body, OpenEnvelope(line, "bye"));
  if (absl::Status status = JsonFields(body, "bye").status(); !status.ok()) {
    return NotTheProtocol(line, status.message());
  }
  return absl::OkStatus();
}

}  // namespace tare::agent
