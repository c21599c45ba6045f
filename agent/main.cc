// tare-agent: measures on this machine what a coordinator asks for.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include "CLI/CLI.hpp"
#include "agent/agent.h"
#include "agent/launch/directory.h"
#include "agent/machine/lock.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/version.h"
#include "spdlog/sinks/stdout_sinks.h"
#include "spdlog/spdlog.h"

namespace {

constexpr int kExitUsage = 64;
constexpr int kExitUnavailable = 69;
constexpr absl::Duration kRetryFirst = absl::Milliseconds(200);
constexpr absl::Duration kRetryMax = absl::Seconds(10);

std::string DefaultSpool() {
  if (geteuid() == 0) return "/var/lib/tare/spool";
  const char* home = getenv("HOME");
  return std::string(home == nullptr ? "/tmp" : home) + "/.local/state/tare/spool";
}

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "agent";
}

int Complain(const absl::Status& status) {
  std::fprintf(stderr, "tare-agent: %s\n", tare::FormatError(status).c_str());
  return absl::IsInvalidArgument(status) ? kExitUsage : kExitUnavailable;
}

absl::Status ServeUntilDone(const tare::agent::AgentOptions& options, bool is_once) {
  tare::agent::Agent agent(options, tare::Clock::Real());
  absl::Duration pause = kRetryFirst;
  while (true) {
    const absl::Duration started = tare::Clock::Real()->Monotonic();
    const absl::Status status = agent.Serve();
    if (is_once || status.ok()) return status;
    if (absl::IsFailedPrecondition(status) || absl::IsAlreadyExists(status)) return status;
    spdlog::warn("{}", tare::FormatError(status));
    if (tare::Clock::Real()->Monotonic() - started > kRetryMax) pause = kRetryFirst;
    tare::Clock::Real()->Wait(pause);
    pause = std::min(pause * 2, kRetryMax);
  }
}

}  // namespace

int main(int argc, char** argv) {
  tare::agent::AgentOptions options;
  options.id = HostName();
  options.spool_directory = DefaultSpool();
  options.lock_path = tare::agent::MachineLock::DefaultPath();
  std::string work_base = std::filesystem::temp_directory_path();
  bool is_once = false;

  CLI::App app{
      "Measures on this machine what a coordinator asks for.\n"
      "Example: tare-agent --coordinator 127.0.0.1:7077 --id lab-1",
      "tare-agent"};
  app.set_version_flag("--version", std::string("tare-agent ") + tare::kVersion);
  app.add_option("--coordinator", options.coordinator, "where it listens: host:port or unix:/path")
      ->required();
  app.add_option("--id", options.id, "name of this agent")->capture_default_str();
  app.add_option("--work", work_base, "where services keep their files while a run lasts")
      ->capture_default_str();
  app.add_option("--spool", options.spool_directory, "where results wait until they are delivered")
      ->capture_default_str();
  app.add_option("--lock", options.lock_path, "held while this machine is measured")
      ->capture_default_str();
  app.add_flag("--once", is_once, "end with the session instead of connecting again");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  spdlog::set_default_logger(spdlog::stderr_logger_mt("tare-agent"));
  signal(SIGPIPE, SIG_IGN);

  tare::agent::SweepStaleDirectories(work_base);
  absl::StatusOr<tare::agent::PrivateDirectory> work =
      tare::agent::PrivateDirectory::Make(work_base);
  if (!work.ok()) return Complain(work.status());
  options.work_directory = work->path();
  const absl::Status status = ServeUntilDone(options, is_once);
  // A coordinator that is done simply leaves.
  if (!status.ok() && !(is_once && absl::IsAborted(status))) return Complain(status);
  return 0;
}
