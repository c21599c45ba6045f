#include "agent/services/postgres_programs.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/launch/process.h"
#include "base/status.h"

namespace tare::agent {
namespace {

constexpr absl::Duration kAnswerTimeMax = absl::Seconds(10);
constexpr char kInstall[] =
    "apt-get install postgresql, or give an existing server with 'dsn' in the experiment";

// What the program prints; empty when it cannot be run.
std::string OutputOf(const std::vector<std::string>& command) {
  LaunchOptions options;
  options.command = command;
  options.environment = ServerEnvironment();
  auto process = Launch(options);
  if (!process.ok() || !(*process)->Wait(kAnswerTimeMax).ok()) return "";
  return std::string(absl::StripAsciiWhitespace((*process)->LogTail()));
}

// "postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)" is 15, "… 17beta1" is 17; else 0.
int MajorVersionOf(const std::string& output) {
  absl::string_view text = output;
  if (!absl::ConsumePrefix(&text, "postgres (PostgreSQL) ")) return 0;
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
  int version = 0;
  const auto digits = text.substr(0, static_cast<size_t>(end - text.begin()));
  return absl::SimpleAtoi(digits, &version) ? version : 0;
}

// All directories that may hold server programs, each once.
std::vector<std::string> CandidateDirectories(const PostgresSearch& search) {
  std::vector<std::string> directories;
  const absl::StatusOr<std::string> pg_config = FindProgram(search.pg_config);
  if (pg_config.ok()) directories.push_back(OutputOf({*pg_config, "--bindir"}));
  std::error_code ignored;
  for (const std::string& root : search.roots) {
    for (std::filesystem::directory_iterator item(root, ignored), end; item != end;
         item.increment(ignored)) {
      directories.push_back(absl::StrCat(item->path().string(), "/bin"));
    }
  }
  std::sort(directories.begin(), directories.end());
  directories.erase(std::unique(directories.begin(), directories.end()), directories.end());
  return directories;
}

std::vector<PostgresPrograms> InstalledPrograms(const PostgresSearch& search) {
  std::vector<PostgresPrograms> installed;
  for (const std::string& directory : CandidateDirectories(search)) {
    const std::string server = absl::StrCat(directory, "/postgres");
    const std::string initdb = absl::StrCat(directory, "/initdb");
    if (!FindProgram(server).ok() || !FindProgram(initdb).ok()) continue;
    const int version = MajorVersionOf(OutputOf({server, "--version"}));
    if (version > 0) installed.push_back({.directory = directory, .version = version});
  }
  return installed;
}

}  // namespace

absl::StatusOr<PostgresPrograms> FindPostgres(const PostgresSearch& search,
                                              std::optional<int> version) {
  const std::vector<PostgresPrograms> installed = InstalledPrograms(search);
  const PostgresPrograms* best = nullptr;
  std::vector<std::string> seen;
  for (const PostgresPrograms& programs : installed) {
    seen.push_back(absl::StrCat(programs.version, " in ", programs.directory));
    const bool fits = version.has_value() ? programs.version == *version
                                          : programs.version >= kPostgresVersionMin;
    if (fits && (best == nullptr || programs.version > best->version)) best = &programs;
  }
  if (best != nullptr) return *best;
  const std::string wanted = version.has_value()
                                 ? absl::StrCat("PostgreSQL ", *version)
                                 : absl::StrCat("PostgreSQL ", kPostgresVersionMin, " or newer");
  std::vector<std::string> places = {absl::StrCat(search.pg_config, " --bindir")};
  for (const std::string& root : search.roots) places.push_back(absl::StrCat(root, "/*/bin"));
  return MakeError(absl::StatusCode::kNotFound,
                   absl::StrCat("the server programs of ", wanted, " are not installed"))
      .Detail(absl::StrCat("looked in ", absl::StrJoin(places, ", "), "; found ",
                           seen.empty() ? "none" : absl::StrJoin(seen, ", ")))
      .Try(kInstall);
}

absl::StatusOr<ServerAccount> FindServerAccount() {
  if (geteuid() != 0) return ServerAccount{.user = "", .uid = geteuid(), .gid = getegid()};
  for (const char* name : {"postgres", "nobody"}) {
    passwd entry;
    passwd* found = nullptr;
    char buffer[4096];
    if (getpwnam_r(name, &entry, buffer, sizeof buffer, &found) == 0 && found != nullptr &&
        entry.pw_uid != 0) {
      return ServerAccount{.user = name, .uid = entry.pw_uid, .gid = entry.pw_gid};
    }
  }
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   "there is no account to run a PostgreSQL server as")
      .Detail("this is root, which PostgreSQL refuses; looked for 'postgres' and 'nobody'")
      .Try("useradd --system postgres");
}

std::vector<std::string> ServerEnvironment() {
  return {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"};
}

}  // namespace tare::agent
