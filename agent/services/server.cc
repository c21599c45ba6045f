#include "agent/services/server.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "agent/launch/exit_record.h"
#include "agent/launch/process.h"
#include "agent/launch/process_table.h"
#include "agent/machine/identity.h"
#include "agent/services/death.h"
#include "agent/services/port.h"
#include "agent/services/readiness.h"
#include "base/files.h"
#include "base/placeholders.h"
#include "base/status.h"

namespace tare::agent {
namespace {

constexpr char kHost[] = "127.0.0.1:";
// When another process takes the port between our look and the server's.
constexpr int kPortsTriedMax = 3;

std::vector<pid_t> TreeOf(pid_t root) {
  std::vector<pid_t> pids;
  for (const ProcessEntry& entry : WithDescendants(ReadProcesses(), {root})) {
    if (!entry.is_zombie) pids.push_back(entry.pid);
  }
  return pids;
}

// A field of /proc/PID/io, of the process itself.
std::optional<int64_t> StorageBytes(absl::string_view io, absl::string_view field) {
  for (absl::string_view line : absl::StrSplit(io, '\n')) {
    int64_t bytes = 0;
    if (absl::ConsumePrefix(&line, field) && absl::ConsumePrefix(&line, ": ") &&
        absl::SimpleAtoi(line, &bytes)) {
      return bytes;
    }
  }
  return std::nullopt;
}

class ServerService : public Service {
 public:
  ServerService(v1::Process record, std::unique_ptr<Process> process, int port)
      : record_(std::move(record)),
        process_(std::move(process)),
        address_(absl::StrCat(kHost, port)) {}

  const std::string& address() const override { return address_; }
  std::vector<std::string> secrets() const override { return {}; }
  std::vector<pid_t> ServingPids() override { return TreeOf(process_->pid()); }

  absl::StatusOr<v1::ServiceRecord> Describe() override {
    v1::ServiceRecord record;
    record.set_name(record_.role());
    record.set_kind("server");
    record.set_is_private(true);
    record.set_endpoint(address_);
    return record;
  }

  absl::Status CheckRunning() override {
    if (process_->is_running()) return absl::OkStatus();
    return DeathOf(*process_, absl::StrCat("service '", record_.role(), "'"));
  }

  std::optional<v1::Process> Finish() override {
    if (const auto io = ReadFile(absl::StrCat("/proc/", process_->pid(), "/io")); io.ok()) {
      if (const auto bytes = StorageBytes(*io, "read_bytes")) {
        record_.set_storage_read_bytes(*bytes);
      }
      if (const auto bytes = StorageBytes(*io, "write_bytes")) {
        record_.set_storage_written_bytes(*bytes);
      }
    }
    if (const absl::StatusOr<ExitStatus> exit = process_->Stop(); exit.ok()) {
      RecordExit(*exit, &record_);
    }
    record_.set_log_tail(process_->LogTail());
    return record_;
  }

 private:
  v1::Process record_;
  const std::unique_ptr<Process> process_;
  const std::string address_;
};

absl::StatusOr<std::vector<std::string>> CommandFor(const v1::Server& server, int port,
                                                    const ServiceOptions& options) {
  const auto fill = [&](const std::string& name) -> absl::StatusOr<std::string> {
    if (name == "port") return absl::StrCat(port);
    const auto found = options.addresses.find(name);
    if (found != options.addresses.end()) return found->second;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("'{", name, "}' is no service of the trial"));
  };
  std::vector<std::string> command;
  for (const std::string& argument : server.command()) {
    ASSIGN_OR_RETURN(command.emplace_back(), FillPlaceholders(argument, fill));
  }
  return command;
}

// "pid 4711 'nginx'"; without the name when it is gone.
std::string NameOf(pid_t pid) {
  const absl::StatusOr<std::string> name = ReadFile(absl::StrCat("/proc/", pid, "/comm"));
  if (!name.ok()) return absl::StrCat("pid ", pid);
  return absl::StrCat("pid ", pid, " '", absl::StripTrailingAsciiWhitespace(*name), "'");
}

// Somebody else may have been faster, and would be measured in its place.
absl::Status CheckOwnsPort(int port, Process& process) {
  if (ListenerOf(port, TreeOf(process.pid())).has_value()) return absl::OkStatus();
  std::vector<pid_t> all;
  for (const ProcessEntry& entry : ReadProcesses()) all.push_back(entry.pid);
  const std::optional<pid_t> holder = ListenerOf(port, all);
  return MakeError(absl::StatusCode::kAlreadyExists,
                   absl::StrCat("port ", port, " is not the server's"))
      .Detail(holder.has_value()
                  ? absl::StrCat(NameOf(*holder), " listens there, which the server did not start")
                  : "nobody listens there")
      .Try("let the server listen on the port that '{port}' gives it");
}

absl::StatusOr<std::unique_ptr<Service>> StartOnPort(const v1::Service& service, int port,
                                                     const ServiceOptions& options) {
  LaunchOptions launch;
  ASSIGN_OR_RETURN(launch.command, CommandFor(service.server(), port, options));
  ASSIGN_OR_RETURN(launch.command[0], FindProgram(launch.command[0]));
  const std::string path = launch.command[0];
  launch.environment = OwnEnvironment();
  launch.working_directory = CurrentDirectory();
  launch.cpus = options.cpus;
  launch.grace = absl::Nanoseconds(service.server().stop_timeout_ns());
  ASSIGN_OR_RETURN(std::unique_ptr<Process> process, Launch(launch));
  RETURN_IF_ERROR(AwaitReady(service.server().ready(), port, *process));
  RETURN_IF_ERROR(CheckOwnsPort(port, *process));
  v1::Process record;
  record.set_role(service.name());
  // As it was written: what stands for a service may hold its password.
  *record.mutable_command() = service.server().command();
  // Without identity the analysis refuses; what was measured is kept.
  if (!IdentifyProcess(process->pid(), path, launch.environment, &record).ok()) {
    record.clear_program_sha256();
  }
  return std::make_unique<ServerService>(std::move(record), std::move(process), port);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Service>> StartServer(const v1::Service& service,
                                                     const ServiceOptions& options) {
  absl::StatusOr<std::unique_ptr<Service>> started;
  for (int i = 0; i < kPortsTriedMax; ++i) {
    ASSIGN_OR_RETURN(const int port, FreePort());
    started = StartOnPort(service, port, options);
    // It ended, and somebody else is there: that is why.
    const bool was_taken = absl::IsUnavailable(started.status()) && ConnectTo(port).is_open();
    if (!was_taken) break;
  }
  return started;
}

}  // namespace tare::agent
