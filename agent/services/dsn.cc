#include "agent/services/dsn.h"

#include <libpq-fe.h>

#include <map>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "base/status.h"

namespace tare::agent {
namespace {

bool IsSecret(absl::string_view keyword) {
  return keyword == "password" || keyword == "sslpassword";
}

std::string Escaped(absl::string_view value) {
  return absl::StrReplaceAll(value, {{"\\", "\\\\"}, {"'", "\\'"}});
}

bool IsUri(absl::string_view text) {
  return absl::StartsWith(text, "postgresql://") || absl::StartsWith(text, "postgres://");
}

// Passwords as a URI spells them, which %-encoding makes differ from what they are.
void AddSpelledInUri(absl::string_view uri, std::vector<std::string>* secrets) {
  const absl::string_view rest = uri.substr(uri.find("://") + 3);
  const absl::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  const size_t at = authority.rfind('@');
  const size_t colon = authority.find(':');
  if (at != absl::string_view::npos && colon < at) {
    secrets->emplace_back(authority.substr(colon + 1, at - colon - 1));
  }
  for (size_t from = rest.find("password="); from != absl::string_view::npos;
       from = rest.find("password=", from + 1)) {
    const absl::string_view value = rest.substr(from + 9);
    secrets->emplace_back(value.substr(0, value.find('&')));
  }
}

using Values = std::map<std::string, std::string>;

// What the dsn says, or `fallback` where it says nothing.
std::string ValueOf(const Values& values, const std::string& keyword, const std::string& fallback) {
  const auto found = values.find(keyword);
  return found == values.end() || found->second.empty() ? fallback : found->second;
}

void AppendPair(absl::string_view keyword, absl::string_view value, std::string* conninfo) {
  absl::StrAppend(conninfo, keyword, "='", Escaped(value), "' ");
}

std::string EndpointOf(const Values& values) {
  return absl::StrCat(ValueOf(values, "host", ValueOf(values, "hostaddr", "local socket")), ":",
                      ValueOf(values, "port", "5432"), "/",
                      ValueOf(values, "dbname", ValueOf(values, "user", "")));
}

}  // namespace

absl::StatusOr<Dsn> ParseDsn(const std::string& text) {
  char* error = nullptr;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
      PQconninfoParse(text.c_str(), &error), PQconninfoFree);
  const std::unique_ptr<char, void (*)(void*)> error_owner(error, PQfreemem);
  if (options == nullptr) {
    return MakeError(absl::StatusCode::kInvalidArgument, "'dsn' is not a libpq connection string")
        .Detail(
            "accepted: 'host=… port=… user=… password=… dbname=…' or "
            "'postgresql://user:password@host:port/dbname'")
        .Try("check it with psql");
  }
  Dsn dsn;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    dsn.values[option->keyword] = option->val;
    AppendPair(option->keyword, option->val, &dsn.conninfo);
    if (IsSecret(option->keyword) && *option->val != '\0') {
      dsn.secrets.emplace_back(option->val);
      dsn.secrets.push_back(Escaped(option->val));
    }
  }
  if (IsUri(text)) AddSpelledInUri(text, &dsn.secrets);
  dsn.endpoint = EndpointOf(dsn.values);
  return dsn;
}

absl::StatusOr<std::string> ServerOf(const Dsn& dsn) {
  const std::string host = ValueOf(dsn.values, "hostaddr", ValueOf(dsn.values, "host", ""));
  const std::string port = ValueOf(dsn.values, "port", "5432");
  if (host.empty()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "'dsn' names no host")
        .Detail("a proxy has to know where to connect to")
        .Try("add host=… to it, or host=/run/postgresql for a local socket");
  }
  if (absl::StrContains(host, ",") || absl::StrContains(port, ",")) {
    return MakeError(absl::StatusCode::kInvalidArgument, "'dsn' names several hosts")
        .Detail("a proxy stands in front of one server")
        .Try("name one of them");
  }
  if (host[0] == '/') return absl::StrCat("unix:", host, "/.s.PGSQL.", port);
  return absl::StrContains(host, ":") ? absl::StrCat("[", host, "]:", port)
                                      : absl::StrCat(host, ":", port);
}

std::string ConninfoByWayOf(const Dsn& dsn, int port) {
  std::string conninfo;
  for (const auto& [keyword, value] : dsn.values) {
    if (keyword != "host" && keyword != "hostaddr" && keyword != "port") {
      AppendPair(keyword, value, &conninfo);
    }
  }
  const std::string host = ValueOf(dsn.values, "host", "127.0.0.1");
  AppendPair("host", host[0] == '/' ? "127.0.0.1" : host, &conninfo);
  AppendPair("hostaddr", "127.0.0.1", &conninfo);
  AppendPair("port", absl::StrCat(port), &conninfo);
  return conninfo;
}

}  // namespace tare::agent
