// A private PostgreSQL server: made, used and thrown away.
//
// Data and socket live in a directory of its own, readable only by the server's account, that
// disappears with it, however the agent ends. Listens on 127.0.0.1 on a free port and takes
// passwords only. All settings are the server's defaults except where it listens and what the
// experiment asks for: what is measured is PostgreSQL as it is installed.
//
// Not thread-safe; one owner. The destructor stops it at once: nobody wants its data.

#ifndef TARE_AGENT_SERVICES_POSTGRES_CLUSTER_H_
#define TARE_AGENT_SERVICES_POSTGRES_CLUSTER_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "agent/launch/directory.h"
#include "agent/launch/process.h"
#include "agent/services/postgres_programs.h"
#include "agent/services/shared_memory.h"

namespace tare::agent {

struct ClusterOptions {
  std::string directory;  // where to make its directory; absolute
  std::string settings;   // lines for postgresql.conf
  std::vector<int> cpus;  // empty: all
};

class PostgresCluster {
 public:
  // Makes it, starts it, and adds the role 'tare', no superuser, that owns the database 'tare'.
  //
  // Errors, with the server's own words in the detail: InvalidArgument (a setting),
  // ResourceExhausted (disk full), DeadlineExceeded (not ready after a minute), Unavailable (would
  // not start otherwise), FailedPrecondition (no account to run as).
  static absl::StatusOr<std::unique_ptr<PostgresCluster>> Start(const PostgresPrograms& programs,
                                                                const ClusterOptions& options);

  ~PostgresCluster();

  // Connection string of the role 'tare'; holds its password.
  std::string conninfo() const;
  std::vector<std::string> secrets() const { return {superuser_password_, role_password_}; }
  int port() const { return port_; }
  pid_t postmaster() const { return server_->pid(); }
  // OK while the server runs; else its last words.
  absl::Status CheckRunning();

 private:
  PostgresCluster(const PostgresPrograms& programs, const ClusterOptions& options,
                  const ServerAccount& account, PrivateDirectory directory);

  std::string data_directory() const { return directory_.path() + "/data"; }
  absl::Status InitDb();
  absl::Status Configure();
  absl::Status StartServer();
  absl::Status LaunchServer();
  absl::Status WaitUntilReady();
  absl::Status CheckItIsOurs();
  absl::Status AddRole();
  std::string SuperuserConninfo() const;
  LaunchOptions BaseOptions() const;
  // The error for a program that gave up, by what it said.
  absl::Status FailureOf(absl::string_view what, absl::string_view log) const;

  const PostgresPrograms programs_;
  const ClusterOptions options_;
  const ServerAccount account_;
  const PrivateDirectory directory_;
  const std::string superuser_password_;
  const std::string role_password_;
  int port_ = 0;
  std::unique_ptr<Process> server_;
  SharedMemory shared_memory_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_POSTGRES_CLUSTER_H_
