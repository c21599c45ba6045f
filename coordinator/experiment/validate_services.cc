#include "coordinator/experiment/validate_services.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/placeholders.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/experiment/proxy_delay.h"
#include "coordinator/experiment/spelling.h"

namespace tare::coordinator {
namespace {

using google::protobuf::RepeatedPtrField;

constexpr char kUniformDetail[] =
    "a uniform law draws from delay − spread to delay + spread, which would begin below 0";
constexpr char kParetoDetail[] = "the delay is its mean, which is above 0";

bool HasSpread(v1::DelayLaw law) {
  return law == v1::DELAY_LAW_UNIFORM || law == v1::DELAY_LAW_NORMAL || law == v1::DELAY_LAW_PARETO;
}

std::string WordOfLaw(v1::DelayLaw law) {
  return WordOf(*v1::DelayLaw_descriptor()->FindValueByNumber(law));
}

bool IsSwept(const v1::Experiment& experiment, const v1::Service& proxy) {
  return std::any_of(experiment.sweep().begin(), experiment.sweep().end(),
                     [&](const v1::Factor& factor) {
                       return FindDelayedProxy(experiment, factor.name()) == &proxy;
                     });
}

class ServiceValidator {
 public:
  ServiceValidator(const v1::Experiment& experiment, const Complaints& complaints)
      : experiment_(experiment),
        complaints_(complaints),
        services_(NamesOf(experiment.services())) {}

  void CheckAll() {
    for (const v1::Service& service : experiment_.services()) {
      const std::string path = PathTo("services", service.name());
      if (service.has_postgres()) CheckPostgres(service.postgres(), PathTo(path, "postgres"));
      if (service.has_proxy()) CheckProxy(service, PathTo(path, "proxy"));
      if (service.has_server()) CheckServer(service, PathTo(path, "server"));
    }
    CheckUses(experiment_.workload().uses(), "workload.uses");
    for (const v1::Arm& arm : experiment_.arms()) {
      CheckUses(arm.uses(), PathTo(PathTo("arms", arm.name()), "uses"));
    }
    CheckServersOfArms();
    CheckExplain();
  }

 private:
  void CheckServer(const v1::Service& service, const std::string& path) {
    if (experiment_.design().pairing() != v1::PAIRING_ROUNDS) {
      complaints_.AtKey(path, "needs 'pairing: rounds'",
                        "a server is started afresh for every trial of its arm",
                        "set 'pairing: rounds' under 'design'");
    }
    const v1::Server& server = service.server();
    if (!server.command().empty()) CheckCommand(service, PathTo(path, "command"));
    if (server.ready().has_http() && server.ready().has_line()) {
      complaints_.AtKey(PathTo(PathTo(path, "ready"), "line"), "does not go with 'http'",
                        "a server is ready in one way", "remove one of them");
    }
    if (server.ready().has_http() && !absl::StartsWith(server.ready().http(), "/")) {
      complaints_.AtValue(PathTo(PathTo(path, "ready"), "http"), "is no path",
                          "accepted: what comes after host and port, such as /health");
    }
  }

  void CheckCommand(const v1::Service& service, const std::string& path) {
    bool has_port = false;
    for (int i = 0; i < service.server().command_size(); ++i) {
      const auto names = PlaceholdersOf(service.server().command(i));
      if (!names.ok()) {
        complaints_.AtValue(PathTo(path, i), PartsOf(names.status()).what, "",
                            PartsOf(names.status()).action);
        return;
      }
      for (const std::string& name : *names) {
        has_port |= name == "port";
        if (name != "port" && !IsServiceBefore(name, service)) {
          complaints_.AtValue(PathTo(path, i),
                              absl::StrCat("'{", name, "}' is no service before this one"),
                              "accepted: {port}, and names of services that come before");
        }
      }
    }
    if (has_port) return;
    complaints_.AtKey(path, "does not say '{port}'",
                      "tare chooses a free port and has to tell the server which",
                      "add an argument such as --port={port}");
  }

  bool IsServiceBefore(const std::string& name, const v1::Service& other) const {
    for (const v1::Service& service : experiment_.services()) {
      if (service.name() == other.name()) return false;
      if (service.name() == name) return true;
    }
    return false;
  }

  // What the verdict is about must be one server, with a proxy before it or not.
  void CheckServersOfArms() {
    for (const v1::Arm& arm : experiment_.arms()) {
      if (arm.has_same_as()) continue;
      const auto& common = experiment_.workload().uses();
      std::vector<std::string> uses(arm.uses().begin(), arm.uses().end());
      if (uses.empty()) uses.assign(common.begin(), common.end());
      if (uses.empty()) uses = services_;
      std::set<std::string> servers;
      for (const v1::Service& service : experiment_.services()) {
        if (!Contains(uses, service.name())) continue;
        if (service.has_server()) servers.insert(service.name());
        if (service.has_proxy() && IsServer(service.proxy().to())) {
          servers.insert(service.proxy().to());
        }
      }
      if (servers.size() < 2) continue;
      complaints_.AtKey(PathTo("arms", arm.name()), "uses more than one server",
                        absl::StrJoin(servers, ", "),
                        absl::StrCat("add 'uses: ", *servers.begin(), "'"));
    }
  }

  bool IsServer(const std::string& name) const {
    for (const v1::Service& service : experiment_.services()) {
      if (service.name() == name) return service.has_server();
    }
    return false;
  }

  void CheckPostgres(const v1::Postgres& postgres, const std::string& path) {
    if (!postgres.has_dsn()) return;
    for (const char* key : {"lifetime", "settings", "version"}) {
      const std::string own = PathTo(path, key);
      if (!complaints_.IsWritten(own)) continue;
      complaints_.AtKey(own, "does not go with 'dsn'",
                        "an existing server has its own version, settings and lifetime",
                        absl::StrCat("remove '", key, "', or 'dsn' for a private server"));
    }
    if (postgres.dsn().empty()) {
      complaints_.AtValue(PathTo(path, "dsn"), "is empty", "accepted: a libpq connection string",
                          "remove it for a private server");
    }
  }

  void CheckProxy(const v1::Service& service, const std::string& path) {
    CheckTo(service.proxy().to(), PathTo(path, "to"));
    // What depends on a law that could not be read is not known.
    if (complaints_.IsWritten(PathTo(path, "law")) && !service.proxy().has_law()) return;
    CheckSpread(service, path);
    CheckTrace(service.proxy(), path);
  }

  void CheckTo(const std::string& to, const std::string& path) {
    if (to.empty()) return;  // missing or no name: said already
    if (CheckIsService(to, path)) return;
    for (const v1::Service& service : experiment_.services()) {
      if (service.name() != to || !service.has_proxy()) continue;
      complaints_.AtValue(path, absl::StrCat("service ", Quote(to), " is a proxy itself"),
                          "a proxy stands in front of a server", "name what stands behind it");
    }
  }

  void CheckSpread(const v1::Service& service, const std::string& path) {
    const v1::Proxy& proxy = service.proxy();
    const std::string spread = PathTo(path, "spread");
    const std::string law = WordOfLaw(proxy.has_law() ? proxy.law() : v1::DELAY_LAW_FIXED);
    if (!HasSpread(proxy.law())) {
      if (complaints_.IsWritten(spread)) {
        complaints_.AtKey(spread, absl::StrCat("does not go with 'law: ", law, "'"),
                          "accepted with the laws uniform, normal, pareto",
                          "remove it, or set one of these laws");
      }
    } else if (!complaints_.IsWritten(spread)) {
      complaints_.AtKey(PathTo(path, "law"), absl::StrCat("'", law, "' needs 'spread'"),
                        "uniform: half the width; normal and pareto: the standard deviation",
                        "add 'spread: 50us'");
    } else if (proxy.has_spread_ns() && proxy.spread_ns() == 0) {
      complaints_.AtValue(spread, "is 0", "without a spread every delay is the same",
                          "raise it, or set 'law: fixed'");
    } else if (proxy.law() == v1::DELAY_LAW_PARETO && proxy.delay_ns() == 0 &&
               !IsSwept(experiment_, service)) {
      complaints_.AtKey(PathTo(path, "law"), "'pareto' needs 'delay'", kParetoDetail,
                        "add 'delay: 1ms'");
    } else if (proxy.law() == v1::DELAY_LAW_UNIFORM && proxy.spread_ns() > proxy.delay_ns() &&
               !IsSwept(experiment_, service)) {
      complaints_.AtValue(
          spread, absl::StrCat("is more than the delay of ", FormatDurationExact(proxy.delay_ns())),
          kUniformDetail, "lower 'spread', or raise 'delay'");
    }
  }

  void CheckTrace(const v1::Proxy& proxy, const std::string& path) {
    const std::string trace = PathTo(path, "trace");
    if (proxy.law() != v1::DELAY_LAW_TRACE) {
      if (!complaints_.IsWritten(trace)) return;
      complaints_.AtKey(trace, "needs 'law: trace'", "no other law reads delays from a file",
                        "set 'law: trace', or remove it");
      return;
    }
    if (!complaints_.IsWritten(trace)) {
      complaints_.AtKey(PathTo(path, "law"), "'trace' needs the file with the delays",
                        "one delay a line, such as 250us", "add 'trace: FILE'");
    } else if (proxy.has_trace() && proxy.trace().empty()) {
      complaints_.AtValue(trace, "is empty",
                          "accepted: a file with one delay a line, such as 250us");
    }
    if (!complaints_.IsWritten(PathTo(path, "delay"))) return;
    complaints_.AtKey(PathTo(path, "delay"), "does not go with 'law: trace'",
                      "a trace has its delays in its file", "remove it");
  }

  void CheckUses(const RepeatedPtrField<std::string>& uses, const std::string& path) {
    std::set<std::string> seen;
    for (int i = 0; i < uses.size(); ++i) {
      if (!seen.insert(uses[i]).second) {
        complaints_.AtValue(PathTo(path, i), absl::StrCat(Quote(uses[i]), " is listed twice"));
      } else {
        CheckIsService(uses[i], PathTo(path, i));
      }
    }
  }

  // True when it complained.
  bool CheckIsService(const std::string& name, const std::string& path) {
    if (Contains(services_, name)) return false;
    complaints_.AtValue(path, absl::StrCat("there is no service ", Quote(name)),
                        services_.empty()
                            ? "the experiment has no services"
                            : absl::StrCat("services: ", absl::StrJoin(services_, ", ")),
                        NearAdvice(name, services_));
    return true;
  }

  void CheckExplain() {
    if (!complaints_.IsWritten("explain")) return;
    for (const v1::Factor& factor : experiment_.sweep()) {
      if (FindDelayedProxy(experiment_, factor.name()) != nullptr) return;
    }
    const std::vector<std::string> factors = DelayFactorNames(experiment_);
    complaints_.AtKey("explain", "needs a sweep of a proxy's delay",
                      "the distance is read off the latencies that several delays lead to",
                      factors.empty() ? "put a proxy before a service, and its delay under 'sweep'"
                                      : absl::StrCat("add 'sweep: { ", factors.front(),
                                                     ": [0us, 250us, 1ms] }'"));
  }

  const v1::Experiment& experiment_;
  const Complaints& complaints_;
  const std::vector<std::string> services_;
};

bool IsUsed(const v1::Experiment& experiment, const std::string& service) {
  const auto names = [&service](const RepeatedPtrField<std::string>& uses) {
    return std::find(uses.begin(), uses.end(), service) != uses.end();
  };
  const RepeatedPtrField<std::string>& common = experiment.workload().uses();
  return std::any_of(experiment.arms().begin(), experiment.arms().end(), [&](const v1::Arm& arm) {
    return arm.uses().empty() ? common.empty() || names(common) : names(arm.uses());
  });
}

}  // namespace

void ValidateServices(const v1::Experiment& experiment, const Complaints& complaints) {
  ServiceValidator(experiment, complaints).CheckAll();
}

void ValidateDelayFactor(const v1::Experiment& experiment, const v1::Factor& factor,
                         const Complaints& complaints) {
  const v1::Service& service = *FindDelayedProxy(experiment, factor.name());
  const v1::Proxy& proxy = service.proxy();
  const std::string path = PathTo("sweep", factor.name());
  if (proxy.law() == v1::DELAY_LAW_TRACE) {
    complaints.AtKey(path, "does not go with 'law: trace'", "a trace has its delays in its file",
                     absl::StrCat("set another law for service '", service.name(), "'"));
    return;
  }
  if (!IsUsed(experiment, service.name())) {
    complaints.AtKey(path, absl::StrCat("no arm uses service '", service.name(), "'"),
                     "its delay would change nothing",
                     absl::StrCat("add '", service.name(), "' to 'uses' of an arm"));
  }
  std::set<int64_t> seen;
  for (int i = 0; i < factor.levels_size(); ++i) {
    const v1::ConfigValue& level = factor.levels(i);
    if (level.value_case() == v1::ConfigValue::VALUE_NOT_SET) continue;
    const absl::StatusOr<int64_t> delay_ns = DelayLevelNs(level);
    if (!delay_ns.ok()) {
      const ErrorParts parts = PartsOf(delay_ns.status());
      complaints.AtValue(PathTo(path, i), parts.what, parts.detail, parts.action);
    } else if (!seen.insert(*delay_ns).second) {
      complaints.AtValue(PathTo(path, i), "is the same as an earlier level");
    } else if (proxy.law() == v1::DELAY_LAW_UNIFORM && proxy.spread_ns() > *delay_ns) {
      complaints.AtValue(
          PathTo(path, i),
          absl::StrCat("is less than the spread of ", FormatDurationExact(proxy.spread_ns()),
                       " of service '", service.name(), "'"),
          kUniformDetail, "remove this level, or lower 'spread'");
    } else if (proxy.law() == v1::DELAY_LAW_PARETO && *delay_ns == 0) {
      complaints.AtValue(PathTo(path, i), "does not go with 'law: pareto'", kParetoDetail,
                         "remove this level");
    }
  }
}

}  // namespace tare::coordinator
