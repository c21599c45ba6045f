// A private PostgreSQL cluster for a test: made, started, and gone with the object.
//
// Whoever reaches its unix socket may do anything. PostgreSQL refuses to run as root; then the
// account `postgres` runs it. Should the test die, the kernel ends the server with it.

#ifndef TARE_TESTS_POSTGRES_CLUSTER_H_
#define TARE_TESTS_POSTGRES_CLUSTER_H_

#include <pwd.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace tare {

struct PostgresClusterOptions {
  // Listens on 127.0.0.1 too, where it asks for the password and offers TLS with a certificate that
  // it signed itself.
  bool has_tcp = false;
  std::vector<std::string> settings;  // "wal_level=logical"
};

class PostgresCluster {
 public:
  // The superuser's, asked for on TCP only.
  static constexpr char kUser[] = "tare";
  static constexpr char kPassword[] = "weigh the empty pan";

  // Fails the test when there is no server to start.
  explicit PostgresCluster(const PostgresClusterOptions& options = {});
  PostgresCluster(const PostgresCluster&) = delete;
  PostgresCluster& operator=(const PostgresCluster&) = delete;
  ~PostgresCluster();

  // A libpq connection string, for the unix socket.
  const std::string& address() const { return address_; }
  std::string socket_path() const;
  // Of TCP, and in the name of the unix socket.
  int port() const { return port_; }
  // Where initdb, psql and the others are.
  const std::string& programs() const { return programs_; }

 private:
  void MakeData(const passwd* account);
  void MakeCertificate(const passwd* account);
  void StartServer(const passwd* account, const PostgresClusterOptions& options);

  const std::string programs_;
  std::string directory_;
  std::string address_;
  int port_ = 5432;
  pid_t server_ = -1;
};

}  // namespace tare

#endif  // TARE_TESTS_POSTGRES_CLUSTER_H_
