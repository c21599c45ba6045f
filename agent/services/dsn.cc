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

std::string EndpointOf(const std::map<std::string, std::string>& values) {
  const auto value = [&values](const std::string& keyword, const std::string& fallback) {
    const auto found = values.find(keyword);
    return found == values.end() || found->second.empty() ? fallback : found->second;
  };
  return absl::StrCat(value("host", value("hostaddr", "local socket")), ":", value("port", "5432"),
                      "/", value("dbname", value("user", "")));
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
  std::map<std::string, std::string> values;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    values[option->keyword] = option->val;
    absl::StrAppend(&dsn.conninfo, option->keyword, "='", Escaped(option->val), "' ");
    if (IsSecret(option->keyword) && *option->val != '\0') {
      dsn.secrets.emplace_back(option->val);
      dsn.secrets.push_back(Escaped(option->val));
    }
  }
  if (IsUri(text)) AddSpelledInUri(text, &dsn.secrets);
  dsn.endpoint = EndpointOf(values);
  return dsn;
}

}  // namespace tare::agent
