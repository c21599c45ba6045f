#include "agent/services/proxy.h"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/launch/process.h"
#include "agent/services/death.h"
#include "agent/services/dsn.h"
#include "agent/services/proxy_control.h"
#include "agent/services/server_log.h"
#include "base/clock.h"
#include "base/enum_word.h"
#include "base/status.h"
#include "base/token.h"
#include "base/units.h"

namespace tare::agent {
namespace {

constexpr char kProgram[] = "tare-proxy";
constexpr char kListening[] = "listening on ";
constexpr char kListenHost[] = "127.0.0.1:";
constexpr absl::Duration kStartTimeMax = absl::Seconds(10);
constexpr absl::Duration kLookAgain = absl::Milliseconds(1);
constexpr size_t kTokenLength = 32;

// DIRECTION_TO_CLIENT is said `to-client`.
std::string WordOf(const google::protobuf::EnumDescriptor* words, int number) {
  return YamlWord(words->FindValueByNumber(number));
}

// The port in the line by which it says that it listens; nothing before that line is whole.
std::optional<int> PortIn(absl::string_view output) {
  const std::vector<absl::string_view> lines = absl::StrSplit(output, '\n');
  for (size_t i = 0; i + 1 < lines.size(); ++i) {  // what follows the last newline is no line yet
    absl::string_view line = lines[i];
    int port = 0;
    if (absl::ConsumePrefix(&line, kListening) && absl::ConsumePrefix(&line, kListenHost) &&
        absl::SimpleAtoi(line, &port)) {
      return port;
    }
  }
  return std::nullopt;
}

absl::StatusOr<int> AwaitPort(Process& process) {
  const absl::Duration deadline = Clock::Real()->Monotonic() + kStartTimeMax;
  while (Clock::Real()->Monotonic() < deadline) {
    // In this order: what it wrote before it ended is then there.
    const bool is_running = process.is_running();
    const std::optional<int> port = PortIn(process.LogTail());
    if (!is_running) return DeathOf(process, kProgram, "before it listened");
    if (port.has_value()) return *port;
    Clock::Real()->Wait(kLookAgain);
  }
  return MakeError(
             absl::StatusCode::kDeadlineExceeded,
             absl::StrCat(kProgram, " did not listen within ", absl::FormatDuration(kStartTimeMax)))
      .Detail(LastWords(process.LogTail()));
}

// Where a service listens; of a PostgreSQL also the rest of its connection string.
struct Way {
  std::string server;  // as tare-proxy takes it
  std::optional<Dsn> dsn;
};

absl::StatusOr<Way> WayTo(const std::string& address) {
  if (!absl::StrContains(address, '=') && !absl::StrContains(address, "://")) {
    return Way{address, std::nullopt};
  }
  ASSIGN_OR_RETURN(Dsn dsn, ParseDsn(address));
  ASSIGN_OR_RETURN(std::string server, ServerOf(dsn));
  return Way{std::move(server), std::move(dsn)};
}

std::string AddressByWayOf(const Way& way, int port) {
  return way.dsn.has_value() ? ConninfoByWayOf(*way.dsn, port) : absl::StrCat(kListenHost, port);
}

class ProxyService : public Service {
 public:
  ProxyService(std::string name, std::unique_ptr<Process> process, ProxyControl control, int port,
               std::string address, std::vector<std::string> secrets)
      : name_(std::move(name)),
        process_(std::move(process)),
        control_(std::move(control)),
        port_(port),
        address_(std::move(address)),
        secrets_(std::move(secrets)) {}

  const std::string& address() const override { return address_; }
  std::vector<std::string> secrets() const override { return secrets_; }
  std::vector<pid_t> ServingPids() override { return {process_->pid()}; }
  const ProxyControl* proxy() const override { return &control_; }

  absl::StatusOr<v1::ServiceRecord> Describe() override {
    absl::StatusOr<v1::ProxyEvidence> evidence = control_.Evidence();
    if (!evidence.ok()) {
      RETURN_IF_ERROR(CheckRunning());  // its end says more
      return Annotate(evidence.status(), Subject());
    }
    v1::ServiceRecord record;
    record.set_name(name_);
    record.set_kind("proxy");
    record.set_version(evidence->version());
    record.set_is_private(true);
    record.set_endpoint(absl::StrCat(kListenHost, port_));
    return record;
  }

  // Its clients see its end before its warden tells of it, so the proxy itself is asked.
  absl::Status CheckRunning() override {
    const absl::Status answer = control_.Counters().status();
    if (answer.ok()) return absl::OkStatus();
    const absl::Status death = DeathOf(*process_, kProgram);
    return Annotate(absl::IsDeadlineExceeded(death) ? answer : death, Subject());
  }

 private:
  std::string Subject() const { return absl::StrCat("service '", name_, "'"); }

  const std::string name_;
  const std::unique_ptr<Process> process_;
  const ProxyControl control_;
  const int port_;
  const std::string address_;
  const std::vector<std::string> secrets_;
};

}  // namespace

std::vector<std::string> ProxyArguments(const v1::Proxy& proxy, const std::string& server,
                                        const std::string& control, uint64_t seed) {
  std::vector<std::string> arguments = {"--listen",  absl::StrCat(kListenHost, 0),
                                        "--to",      server,
                                        "--control", control,
                                        "--seed",    absl::StrCat(seed)};
  const auto add = [&arguments](const char* option, std::string value) {
    arguments.emplace_back(option);
    arguments.push_back(std::move(value));
  };
  if (proxy.has_law()) add("--law", WordOf(v1::DelayLaw_descriptor(), proxy.law()));
  if (proxy.has_delay_ns()) add("--delay", FormatDurationExact(proxy.delay_ns()));
  if (proxy.has_spread_ns()) add("--spread", FormatDurationExact(proxy.spread_ns()));
  if (proxy.has_trace()) {
    std::error_code ignored;
    add("--trace", std::filesystem::absolute(proxy.trace(), ignored));
  }
  if (proxy.has_direction()) {
    add("--direction", WordOf(v1::Direction_descriptor(), proxy.direction()));
  }
  if (proxy.has_bytes_per_second()) {
    add("--bytes-per-second", absl::StrCat(proxy.bytes_per_second()));
  }
  if (proxy.has_record()) add("--record", WordOf(v1::Recording_descriptor(), proxy.record()));
  return arguments;
}

absl::StatusOr<std::unique_ptr<Service>> StartProxy(const v1::Service& service,
                                                    const ServiceOptions& options) {
  if (options.behind == nullptr) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("service '", service.proxy().to(), "' behind it does not run"));
  }
  ASSIGN_OR_RETURN(const Way way, WayTo(options.behind->address()));
  ASSIGN_OR_RETURN(std::string program, FindProgram(kProgram));
  LaunchOptions launch;
  launch.command.push_back(std::move(program));
  const std::string control = absl::StrCat("tare-proxy-", RandomToken(kTokenLength));
  for (std::string& argument : ProxyArguments(
           service.proxy(), way.server, absl::StrCat("unix-abstract:", control), options.seed)) {
    launch.command.push_back(std::move(argument));
  }
  launch.environment = OwnEnvironment();
  launch.cpus = options.cpus;
  ASSIGN_OR_RETURN(std::unique_ptr<Process> process, Launch(launch));
  ASSIGN_OR_RETURN(const int port, AwaitPort(*process));
  return std::make_unique<ProxyService>(service.name(), std::move(process), ProxyControl(control),
                                        port, AddressByWayOf(way, port), options.behind->secrets());
}

}  // namespace tare::agent
