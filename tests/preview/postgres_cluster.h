// A private PostgreSQL cluster for a test: made, started, and gone with the object.
//
// It listens on a unix socket only. PostgreSQL refuses to run as root; then the account `postgres`
// runs it. Should the test die, the kernel ends the server with it.

#ifndef TARE_TESTS_PREVIEW_POSTGRES_CLUSTER_H_
#define TARE_TESTS_PREVIEW_POSTGRES_CLUSTER_H_

#include <sys/types.h>

#include <string>

namespace tare {

class PostgresCluster {
 public:
  // Fails the test when there is no server to start.
  PostgresCluster();
  PostgresCluster(const PostgresCluster&) = delete;
  PostgresCluster& operator=(const PostgresCluster&) = delete;
  ~PostgresCluster();

  // A libpq connection string.
  const std::string& address() const { return address_; }
  std::string socket_path() const { return directory_ + "/.s.PGSQL.5432"; }

 private:
  std::string directory_;
  std::string address_;
  pid_t server_ = -1;
};

}  // namespace tare

#endif  // TARE_TESTS_PREVIEW_POSTGRES_CLUSTER_H_
