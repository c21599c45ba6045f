#include "workloads/load/settings.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

#include "workloads/load/quantity.h"

namespace tare::load {
namespace {

// Reads one arm; the first thing that is wrong is kept.
class Reader {
 public:
  explicit Reader(sdk::Arm& arm) : arm_(arm), config_(arm.config) {}

  void ReadRequest(Settings* settings);
  void ReadLoop(Settings* settings);
  void ReadLimits(Settings* settings);

  void Fail(const std::string& message, const std::string& detail) {
    if (error_.has_value()) return;
    error_ = sdk::Error{"arm '" + arm_.name + "': " + message, detail, ""};
  }
  template <typename T>
  void Take(std::variant<sdk::Error, T> parsed, const std::string& key, T* value) {
    if (auto* error = std::get_if<sdk::Error>(&parsed)) {
      Fail("config '" + key + "': " + error->message, error->detail);
    } else {
      *value = std::get<T>(std::move(parsed));
    }
  }
  // A type that the SDK did not accept comes first: what follows from it is no news.
  std::optional<sdk::Error> error() const {
    return config_.error().has_value() ? config_.error() : error_;
  }

 private:
  std::vector<std::string> List(const std::string& key);
  int64_t Duration(const std::string& key, const std::string& otherwise);
  std::string PathOf(const std::string& url, const Address& server);
  void ReadHeaders(Settings* settings);
  void ReadSchedule(Settings* settings);
  void RefuseInClosedLoop(const char* key);

  sdk::Arm& arm_;
  sdk::Config& config_;
  std::optional<sdk::Error> error_;
};

std::vector<std::string> Reader::List(const std::string& key) {
  auto value = config_.TextOrList(key);
  if (auto* text = std::get_if<std::string>(&value)) return {std::move(*text)};
  return std::get<std::vector<std::string>>(std::move(value));
}

int64_t Reader::Duration(const std::string& key, const std::string& otherwise) {
  const std::string text = config_.Text(key, otherwise);
  const auto ns = ParseDurationNs(text);
  if (ns.value_or(0) <= 0) {
    Fail("config '" + key + "' is '" + text + "'", kDurationExpected);
  }
  return ns.value_or(0);
}

// What follows host and port. A URL names the service that the arm uses, or none at all: requests
// that went elsewhere would measure something that the experiment does not know.
std::string Reader::PathOf(const std::string& url, const Address& server) {
  if (url.empty() || url[0] == '/') return url;
  const std::string scheme = "http://";
  if (!url.starts_with(scheme)) {
    Fail("config 'url' is '" + url + "'", "expected a path such as /loan?member=1, or http://…");
    return "/";
  }
  const size_t slash = url.find('/', scheme.size());
  const std::string host = url.substr(scheme.size(), slash - scheme.size());
  if (host != server.text) {
    Fail("config 'url' asks '" + host + "', which is not the service of this arm",
         "the service is at '" + server.text + "'; a path alone is enough");
  }
  return slash == std::string::npos ? "/" : url.substr(slash);
}

void Reader::ReadRequest(Settings* settings) {
  const std::string path = PathOf(config_.Text("url", ""), settings->server);
  if (path.empty()) {
    Fail("'url' is missing", "expected a path such as /loan?member=U-{n%500}");
  } else {
    Take(Target::Parse(path), "url", &settings->target);
  }
  settings->method =
      config_.Choice("method", {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"});
  settings->body = config_.Text("body", "");
  if (settings->body.size() > kBodyBytesMax) {
    Fail("config 'body' has " + std::to_string(settings->body.size()) + " bytes",
         "expected at most " + std::to_string(kBodyBytesMax));
  }
  ReadHeaders(settings);
}

bool IsHeaderName(const std::string& name) {
  const auto is_token = [](char c) {
    const auto letter = static_cast<unsigned char>(c);
    return std::isalnum(letter) != 0 || std::string("!#$%&'*+-.^_`|~").find(c) != std::string::npos;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_token);
}

bool IsOurs(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name == "host" || name == "connection" || name == "content-length" ||
         name == "transfer-encoding";
}

void Reader::ReadHeaders(Settings* settings) {
  const std::vector<std::string> lines = List("headers");
  if (lines.size() > kHeadersMax) {
    Fail("config 'headers' has " + std::to_string(lines.size()) + " lines",
         "expected at most " + std::to_string(kHeadersMax));
  }
  for (const std::string& line : lines) {
    const size_t colon = line.find(": ");
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    if (colon == std::string::npos || !IsHeaderName(line.substr(0, colon)) ||
        std::any_of(line.begin(), line.end(), is_control)) {
      Fail("config 'headers' has '" + line + "'", "expected such as 'Accept: text/plain'");
    } else if (IsOurs(line.substr(0, colon))) {
      Fail("config 'headers' has '" + line + "'",
           "Host, Connection, Content-Length and Transfer-Encoding are set by tare-load");
    } else {
      settings->headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
  }
}

void Reader::RefuseInClosedLoop(const char* key) {
  if (!config_.Has(key)) return;
  Fail(std::string("config '") + key + "' has no meaning in a closed loop",
       "there each connection sends when its reply has come");
}

void Reader::ReadLoop(Settings* settings) {
  settings->is_closed = config_.Choice("loop", {"open", "closed"}) == "closed";
  if (settings->is_closed) {
    for (const char* key : {"rate", "schedule", "steps", "lag_max"}) RefuseInClosedLoop(key);
  } else {
    ReadSchedule(settings);
    settings->lag_max_ns = Duration("lag_max", "2ms");
  }
  settings->connections_max = static_cast<int>(
      config_.Integer("connections", settings->is_closed ? 1 : 64, 1, kConnectionsMax));
  settings->is_spinning = config_.Choice("wait", {"sleep", "spin"}) == "spin";
}

void Reader::ReadSchedule(Settings* settings) {
  const std::string schedule = config_.Choice("schedule", {"constant", "poisson", "steps"});
  if (schedule == "steps") {
    settings->schedule = Schedule::kSteps;
    if (config_.Has("rate")) {
      Fail("config 'rate' has no meaning with schedule: steps", "each step has its own");
    }
    const std::vector<std::string> steps = List("steps");
    if (steps.empty() || steps.size() > kRateStepsMax) {
      Fail("config 'steps' has " + std::to_string(steps.size()) + " steps",
           "expected from 1 to " + std::to_string(kRateStepsMax) + ", such as '500/s for 2s'");
    }
    for (const std::string& step : steps) {
      Take(ParseRateStep(step), "steps", &settings->steps.emplace_back());
    }
    return;
  }
  if (schedule == "poisson") settings->schedule = Schedule::kPoisson;
  if (config_.Has("steps")) {
    Fail("config 'steps' has no meaning with schedule: " + schedule, "use schedule: steps");
  }
  const std::string text = config_.Text("rate", "");
  const auto rate = ParseRate(text);
  if (!rate.has_value()) {
    Fail(text.empty() ? "'rate' is missing" : "config 'rate' is '" + text + "'", kRateExpected);
  }
  settings->rate = rate.value_or(1);
}

void Reader::ReadLimits(Settings* settings) {
  settings->timeout_ns = Duration("timeout", "1s");
  settings->errors_max = config_.Integer("errors_max", 0, 0, std::numeric_limits<int32_t>::max());
  settings->work = config_.Text("work", "");
  if (!settings->work.empty() && settings->work[0] != '/') {
    Fail("config 'work' is '" + settings->work + "'", "expected a path such as /metrics");
  }
}

// The address of the first service that the arm uses, or of the only one.
std::variant<sdk::Error, Address> FindServer(const sdk::Arm& arm,
                                             const std::vector<sdk::ServiceAddress>& services) {
  const std::string who = "arm '" + arm.name + "': ";
  if (arm.uses.empty() && services.size() > 1) {
    return sdk::Error{who + "which of " + std::to_string(services.size()) + " services to load?",
                      "name one under 'uses'", ""};
  }
  for (const sdk::ServiceAddress& service : services) {
    if (!arm.uses.empty() && service.name != arm.uses.front()) continue;
    auto address = FindAddress(service.address);
    if (auto* error = std::get_if<sdk::Error>(&address)) {
      error->message = who + "service '" + service.name + "': " + error->message;
    }
    return address;
  }
  return sdk::Error{who + "there is no service to load", "name a server under 'uses'", ""};
}

}  // namespace

std::variant<sdk::Error, Settings> ReadSettings(sdk::Arm& arm,
                                                const std::vector<sdk::ServiceAddress>& services) {
  Settings settings;
  auto server = FindServer(arm, services);
  if (auto* error = std::get_if<sdk::Error>(&server)) return std::move(*error);
  settings.server = std::get<Address>(std::move(server));
  Reader reader(arm);
  reader.ReadRequest(&settings);
  reader.ReadLoop(&settings);
  reader.ReadLimits(&settings);
  if (reader.error().has_value()) return *reader.error();
  return settings;
}

std::string DescribeSettings() {
  return "  url          a path at the service, such as /loan?member=U-{n%500}; {n} is the number\n"
         "               of the request, {n%K} its remainder, {random%K} a draw, {{ a brace\n"
         "  method       GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS; default GET\n"
         "  body         of every request; default: none\n"
         "  headers      a list of lines such as 'Accept: text/plain'; default: none\n"
         "  loop         open: send on schedule; closed: when the last reply has come; default "
         "open\n"
         "  rate         requests a second of an open loop, such as 500/s\n"
         "  schedule     constant, poisson or steps; default constant\n"
         "  steps        of schedule steps: a list such as ['500/s for 2s', '900/s for 1s']\n"
         "  connections  at most so many, kept alive; default 64, in a closed loop 1\n"
         "  timeout      of a request; default 1s\n"
         "  wait         for the next send: sleep, or spin on a CPU of its own; default sleep\n"
         "  errors_max   failed requests that do not refuse the trial; default 0\n"
         "  lag_max      of an open loop: p99 of the generator's own lateness; default 2ms\n"
         "  work         path of the server's work counters, a JSON object; default: none\n";
}

}  // namespace tare::load
