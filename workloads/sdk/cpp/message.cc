#include "workloads/sdk/cpp/message.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "workloads/sdk/cpp/clock.h"

namespace tare::sdk {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kProtocol = 1;

// Reads the fields of one object; the first field of a wrong type is kept as the error.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {}

  int64_t Integer(const char* name, int64_t otherwise) {
    const Json* value = Find(name);
    if (value == nullptr) return otherwise;
    if (IsInteger(*value)) return value->get<int64_t>();
    Complain(name);
    return otherwise;
  }
  bool Flag(const char* name) {
    const Json* value = Find(name);
    if (value == nullptr) return false;
    if (value->is_boolean()) return value->get<bool>();
    Complain(name);
    return false;
  }
  std::string Text(const char* name) {
    const Json* value = Find(name);
    if (value == nullptr) return "";
    if (value->is_string()) return value->get<std::string>();
    Complain(name);
    return "";
  }
  template <typename Number>
  std::vector<Number> Integers(const char* name) {
    std::vector<Number> numbers;
    for (const Json& element : Array(name)) {
      if (!IsInteger(element) || element.get<int64_t>() > std::numeric_limits<Number>::max()) {
        Complain(name);
        return {};
      }
      numbers.push_back(element.get<Number>());
    }
    return numbers;
  }
  std::vector<std::string> Texts(const char* name) {
    std::vector<std::string> texts;
    for (const Json& element : Array(name)) {
      if (!element.is_string()) {
        Complain(name);
        return {};
      }
      texts.push_back(element.get<std::string>());
    }
    return texts;
  }
  const Json& Array(const char* name) {
    static const Json& empty = *new Json(Json::array());
    const Json* value = Find(name);
    if (value == nullptr) return empty;
    if (value->is_array()) return *value;
    Complain(name);
    return empty;
  }
  const Json* Find(const char* name) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  void Complain(const char* name) {
    if (!wrong_.empty()) return;
    wrong_ = name;
  }
  // The name of the first field that is wrong; empty when there is none.
  const std::string& wrong() const { return wrong_; }

 private:
  static bool IsInteger(const Json& value) {
    if (value.is_number_unsigned()) return value.get<uint64_t>() <= uint64_t{INT64_MAX};
    return value.is_number_integer();
  }

  const Json& object_;
  std::string wrong_;
};

std::optional<ConfigValue> ToConfigValue(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX}) return {};
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number_float()) return value.get<double>();
  if (!value.is_array()) return {};
  std::vector<std::string> texts;
  for (const Json& element : value) {
    if (!element.is_string()) return {};
    texts.push_back(element.get<std::string>());
  }
  return texts;
}

Json ToJson(const ConfigEntries& entries) {
  Json object = Json::object();
  for (const auto& [name, value] : entries) {
    std::visit([&object, &name = name](const auto& typed) { object[name] = typed; }, value);
  }
  return object;
}

Error Wrong(const std::string& message, const std::string& field) {
  return {"the agent sent a '" + message + "' that this program cannot read",
          "field '" + field + "' has a wrong type or value", ""};
}

Message ParseSetup(const Json& body) {
  SetupMessage message;
  Fields fields(body);
  message.setup.seed = static_cast<uint64_t>(fields.Integer("seed", 0));
  message.setup.samples_max = fields.Integer("samples_max", 0);
  if (message.setup.samples_max < 0) fields.Complain("samples_max");
  for (const Json& element : fields.Array("services")) {
    Fields service(element);
    message.setup.services.push_back({service.Text("name"), service.Text("address")});
    if (!service.wrong().empty()) fields.Complain("services");
  }
  for (const Json& element : fields.Array("arms")) {
    Fields arm(element);
    const std::string name = arm.Text("name");
    message.runs.push_back(arm.Text("runs"));
    ConfigEntries entries;
    if (const Json* config = arm.Find("config")) {
      if (!config->is_object()) return Wrong("setup", "config");
      for (const auto& [key, value] : config->items()) {
        std::optional<ConfigValue> converted = ToConfigValue(value);
        if (!converted.has_value()) return Wrong("setup", "config." + key);
        entries.emplace_back(key, std::move(*converted));
      }
    }
    std::vector<std::string> uses = arm.Texts("uses");
    if (!arm.wrong().empty()) fields.Complain("arms");
    message.setup.arms.push_back({name, Config(name, std::move(entries)), std::move(uses)});
  }
  if (message.setup.arms.empty()) fields.Complain("arms");
  if (!fields.wrong().empty()) return Wrong("setup", fields.wrong());
  return message;
}

// Absent: at the end.
std::optional<DelayPlace> PlaceOf(const std::string& word) {
  if (word.empty() || word == "end") return DelayPlace::kEnd;
  if (word == "start") return DelayPlace::kStart;
  return word == "middle" ? std::optional(DelayPlace::kMiddle) : std::nullopt;
}

Message ParseMeasure(const Json& body) {
  BlockRequest request;
  Fields fields(body);
  request.block = fields.Integer("block", 0);
  request.is_warmup = fields.Flag("is_warmup");
  request.arms = fields.Integers<int>("arms");
  request.iterations = fields.Integer("iterations", 0);
  request.washout = fields.Integer("washout", 0);
  const int64_t washout_arm = fields.Integer("washout_arm", 0);
  request.delay_ns = fields.Integers<int64_t>("delay_ns");
  if (std::optional<DelayPlace> place = PlaceOf(fields.Text("delay_place"))) {
    request.delay_place = *place;
  } else {
    fields.Complain("delay_place");
  }
  request.first_set = fields.Integer("first_set", 0);
  request.arms_per_set = fields.Integer("arms_per_set", 0);
  request.is_lockstep = fields.Flag("is_lockstep");
  request.warmup_samples = fields.Integer("warmup_samples", 0);
  if (request.iterations < 1) fields.Complain("iterations");
  if (request.arms_per_set < 1) fields.Complain("arms_per_set");
  if (request.warmup_samples < 0) fields.Complain("warmup_samples");
  if (washout_arm < 0 || washout_arm > INT32_MAX) fields.Complain("washout_arm");
  request.washout_arm = static_cast<int>(washout_arm);
  if (!fields.wrong().empty()) return Wrong("measure", fields.wrong());
  return request;
}

// Text that is not UTF-8 (a path, a program's output) is repaired rather than refused.
std::string Line(const char* name, Json body) {
  Json message = Json::object();
  message[name] = std::move(body);
  return message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Message ParseMessage(const std::string& line) {
  const Json message = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object() || message.size() != 1 || !message.front().is_object()) {
    return Error{"the agent sent a line that is not the workload protocol", line.substr(0, 80), ""};
  }
  const std::string& name = message.begin().key();
  const Json& body = message.front();
  if (name == "setup") return ParseSetup(body);
  if (name == "measure") return ParseMeasure(body);
  if (name == "collect") return CollectMessage();
  if (name == "bye") return ByeMessage();
  return Error{"the agent sent '" + name + "', which this program does not know",
               "it knows: setup, measure, collect, bye", ""};
}

std::string HelloLine(bool is_continuous) {
  Json hello = {{"protocol", kProtocol},
                {"harness", std::string("tare-sdk-cpp ") + kVersion},
#ifdef __clang__
                {"runtime", "c++ clang++ " __clang_version__},
#else
                {"runtime", "c++ g++ " __VERSION__},
#endif
                {"clock", "steady_clock"},
                {"tick_ns", MeasureTickNs()}};
  if (is_continuous) hello["continuous"] = true;
  return Line("hello", std::move(hello));
}

std::string ReadyLine(const SetupMessage& message) {
  Json arms = Json::array();
  for (size_t i = 0; i < message.setup.arms.size(); ++i) {
    const Arm& arm = message.setup.arms[i];
    arms.push_back(
        {{"name", arm.name}, {"runs", message.runs[i]}, {"config", ToJson(arm.config.resolved())}});
  }
  return Line("ready", {{"arms", std::move(arms)}});
}

std::string SamplesLine(const BlockRequest& request, const Block& block,
                        const std::vector<std::string>& steps) {
  const size_t count = request.arms.size();
  std::vector<int64_t> start_ns(count), value_ns(count), applied_ns;
  for (size_t i = 0; i < count; ++i) {
    start_ns[i] = block.sample(i).start_ns;
    value_ns[i] = block.sample(i).value_ns;
  }
  const auto is_delay = [](int64_t delay_ns) { return delay_ns > 0; };
  if (std::any_of(request.delay_ns.begin(), request.delay_ns.end(), is_delay)) {
    for (size_t i = 0; i < count; ++i) applied_ns.push_back(block.sample(i).applied_ns);
  }
  Json columns = Json::object();
  for (size_t step = 0; step < steps.size(); ++step) {
    std::vector<int64_t> column(count);
    for (size_t i = 0; i < count; ++i) column[i] = block.step_ns(i, static_cast<int>(step));
    columns[steps[step]] = std::move(column);
  }
  return Line("samples", {{"block", request.block},
                          {"is_warmup", request.is_warmup},
                          {"arm", request.arms},
                          {"start_ns", start_ns},
                          {"value_ns", value_ns},
                          {"applied_ns", applied_ns},
                          {"steps", std::move(columns)}});
}

std::string EvidenceLine(const std::vector<Arm>& arms, const std::vector<Evidence>& evidence) {
  Json list = Json::array();
  for (size_t i = 0; i < arms.size(); ++i) {
    Json counters = Json::object();
    for (const auto& [name, value] : evidence[i].counters) counters[name] = value;
    Json digests = Json::object();
    for (const auto& [name, value] : evidence[i].digests) digests[name] = value;
    list.push_back({{"arm", arms[i].name},
                    {"operations", evidence[i].operations},
                    {"checksum", evidence[i].checksum},
                    {"records", evidence[i].records},
                    {"counters", std::move(counters)},
                    {"digests", std::move(digests)}});
  }
  return Line("evidence", {{"arms", std::move(list)}});
}

std::string ByeLine() { return Line("bye", Json::object()); }

std::string ErrorLine(const Error& error) {
  return Line("error",
              {{"code", error.code}, {"message", error.message}, {"detail", error.detail}});
}

}  // namespace tare::sdk
