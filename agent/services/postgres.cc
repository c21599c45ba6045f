#include "agent/services/postgres.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "agent/launch/process_table.h"
#include "agent/services/dsn.h"
#include "agent/services/postgres_cluster.h"
#include "agent/services/postgres_session.h"
#include "agent/services/postgres_settings.h"
#include "agent/services/secrets.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/status.h"

namespace tare::agent {
namespace {

constexpr absl::Duration kLeaveTimeMax = absl::Seconds(1);

// What changes how long a statement takes, or how its writes are kept. Those that a version does
// not have are left out of the record.
constexpr const char* kRecordedSettings[] = {"autovacuum",
                                             "block_size",
                                             "checkpoint_timeout",
                                             "commit_delay",
                                             "data_checksums",
                                             "default_transaction_isolation",
                                             "effective_cache_size",
                                             "effective_io_concurrency",
                                             "fsync",
                                             "full_page_writes",
                                             "huge_pages",
                                             "jit",
                                             "lc_collate",
                                             "maintenance_work_mem",
                                             "max_connections",
                                             "max_parallel_workers_per_gather",
                                             "max_wal_size",
                                             "plan_cache_mode",
                                             "random_page_cost",
                                             "server_encoding",
                                             "shared_buffers",
                                             "ssl",
                                             "synchronous_commit",
                                             "temp_buffers",
                                             "wal_buffers",
                                             "wal_level",
                                             "wal_sync_method",
                                             "work_mem"};

absl::Status FillRecord(PostgresSession& session, const v1::Postgres& asked,
                        v1::ServiceRecord* record) {
  ASSIGN_OR_RETURN(const Rows version, session.Query("SHOW server_version"));
  record->set_version(version.empty() ? "" : version[0][0]);
  std::vector<std::string> names(std::begin(kRecordedSettings), std::end(kRecordedSettings));
  for (const v1::ConfigValue& setting : asked.settings()) {
    names.push_back(absl::AsciiStrToLower(setting.name()));  // checked to hold no quote
  }
  // pg_settings leaves out what this role may not see, where SHOW would be an error.
  ASSIGN_OR_RETURN(
      const Rows settings,
      session.Query(absl::StrCat(
          "SELECT name, current_setting(name) FROM pg_settings WHERE lower(name) IN ('",
          absl::StrJoin(names, "', '"), "') ORDER BY name")));
  for (const std::vector<std::string>& row : settings) {
    v1::Setting* setting = record->add_settings();
    setting->set_name(row[0]);
    setting->set_value(row[1]);
  }
  ASSIGN_OR_RETURN(const int64_t round_trip_ns, session.EmptyRoundTripNs());
  record->set_empty_round_trip_ns(round_trip_ns);
  return absl::OkStatus();
}

absl::StatusOr<v1::ServiceRecord> DescribeServer(const v1::Service& service,
                                                 PostgresSession& session) {
  v1::ServiceRecord record;
  record.set_name(service.name());
  record.set_kind("postgres");
  RETURN_IF_ERROR(FillRecord(session, service.postgres(), &record));
  return record;
}

// Our own backend leaves a moment after its connection is closed; until then it would be taken for
// one that serves the workload.
void WaitUntilGone(const std::string& pid) {
  const absl::Duration give_up_at = Clock::Real()->Monotonic() + kLeaveTimeMax;
  while (ReadFile(absl::StrCat("/proc/", pid, "/cmdline")).ok() &&
         Clock::Real()->Monotonic() < give_up_at) {
    Clock::Real()->Wait(absl::Milliseconds(1));
  }
}

absl::Status NameService(const absl::Status& status, const v1::Service& service) {
  return Annotate(status, absl::StrCat("service '", service.name(), "'"));
}

class PrivatePostgres : public Service {
 public:
  PrivatePostgres(v1::Service service, std::unique_ptr<PostgresCluster> cluster)
      : service_(std::move(service)),
        cluster_(std::move(cluster)),
        address_(cluster_->conninfo()) {}

  const std::string& address() const override { return address_; }
  std::vector<std::string> secrets() const override { return cluster_->secrets(); }
  absl::Status CheckRunning() override { return NameService(cluster_->CheckRunning(), service_); }

  absl::StatusOr<v1::ServiceRecord> Describe() override {
    ASSIGN_OR_RETURN(auto session, OpenPostgres(address_, secrets()));
    ASSIGN_OR_RETURN(v1::ServiceRecord record, DescribeServer(service_, *session));
    ASSIGN_OR_RETURN(const Rows backend, session->Query("SELECT pg_backend_pid()"));
    session.reset();
    WaitUntilGone(backend[0][0]);
    record.set_is_private(true);
    record.set_endpoint(absl::StrCat("127.0.0.1:", cluster_->port(), "/tare"));
    return record;
  }

  std::vector<pid_t> ServingPids() override {
    std::vector<pid_t> serving;
    for (const ProcessEntry& process : ReadProcesses()) {
      if (process.parent != cluster_->postmaster()) continue;
      const auto title = ReadFile(absl::StrCat("/proc/", process.pid, "/cmdline"));
      if (title.ok() && IsServingTitle(*title)) serving.push_back(process.pid);
    }
    return serving;
  }

 private:
  const v1::Service service_;
  const std::unique_ptr<PostgresCluster> cluster_;
  const std::string address_;
};

class ExistingPostgres : public Service {
 public:
  ExistingPostgres(v1::Service service, Dsn dsn)
      : service_(std::move(service)), dsn_(std::move(dsn)) {}

  const std::string& address() const override { return service_.postgres().dsn(); }
  std::vector<std::string> secrets() const override { return dsn_.secrets; }
  absl::Status CheckRunning() override {
    return NameService(OpenPostgres(dsn_.conninfo, dsn_.secrets).status(), service_);
  }

  absl::StatusOr<v1::ServiceRecord> Describe() override {
    ASSIGN_OR_RETURN(auto session, OpenPostgres(dsn_.conninfo, dsn_.secrets));
    ASSIGN_OR_RETURN(v1::ServiceRecord record, DescribeServer(service_, *session));
    record.set_is_private(false);
    record.set_endpoint(dsn_.endpoint);
    return record;
  }

  // Its processes are not ours to look for, on this machine or another.
  std::vector<pid_t> ServingPids() override { return {}; }

 private:
  const v1::Service service_;
  const Dsn dsn_;
};

absl::StatusOr<std::unique_ptr<Service>> Connect(const v1::Service& service) {
  ASSIGN_OR_RETURN(Dsn dsn, ParseDsn(service.postgres().dsn()));
  RETURN_IF_ERROR(Annotate(OpenPostgres(dsn.conninfo, dsn.secrets).status(),
                           RedactSecrets(absl::StrCat("server at ", dsn.endpoint), dsn.secrets)));
  return std::make_unique<ExistingPostgres>(service, std::move(dsn));
}

absl::StatusOr<std::unique_ptr<Service>> StartPrivate(const v1::Service& service,
                                                      const ServiceOptions& options,
                                                      const PostgresSearch& search) {
  const v1::Postgres& asked = service.postgres();
  ASSIGN_OR_RETURN(std::string settings, RenderSettings(asked.settings()));
  ASSIGN_OR_RETURN(
      const PostgresPrograms programs,
      FindPostgres(search, asked.has_version() ? std::optional(asked.version()) : std::nullopt));
  ASSIGN_OR_RETURN(auto cluster, PostgresCluster::Start(programs, {.directory = options.directory,
                                                                   .settings = std::move(settings),
                                                                   .cpus = options.cpus}));
  return std::make_unique<PrivatePostgres>(service, std::move(cluster));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Service>> StartPostgres(const v1::Service& service,
                                                       const ServiceOptions& options,
                                                       const PostgresSearch& search) {
  return service.postgres().has_dsn() ? Connect(service) : StartPrivate(service, options, search);
}

// A client backend's title is "postgres: [cluster: ]user database host(port) activity".
bool IsServingTitle(absl::string_view command_line) {
  return absl::StartsWith(command_line, "postgres: ") &&
         (absl::StrContains(command_line, " 127.0.0.1(") ||
          absl::StrContains(command_line, " [local]")) &&
         !absl::StrContains(command_line, "walsender ");
}

}  // namespace tare::agent
