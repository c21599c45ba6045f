// Fixtures: tare-proxy between a real client and a real server.

#ifndef TARE_TESTS_PROXY_CLIENTS_PROXIED_TEST_H_
#define TARE_TESTS_PROXY_CLIENTS_PROXIED_TEST_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tare/v1/proxy.pb.h"
#include "tests/e2e/tare_program.h"
#include "tests/postgres_cluster.h"

namespace tare {

// One tare-proxy, from its first line to its evidence. Killed with the object if still there.
class ProxyProcess {
 public:
  // `running` was started to write its evidence to `evidence_path`; waits until it listens.
  ProxyProcess(Running running, std::string evidence_path);
  ProxyProcess(const ProxyProcess&) = delete;
  ProxyProcess& operator=(const ProxyProcess&) = delete;
  ~ProxyProcess();

  int port() const { return port_; }

  // Asks it to end. What it wrote, empty when it did not end well, which fails the test.
  v1::ProxyEvidence Stop();

 private:
  Running running_;
  const std::string evidence_path_;
  int port_ = 0;
  bool is_stopped_ = false;
};

class ProxiedTest : public E2eTest {
 protected:
  // The common case first, then a distance that every round trip feels.
  static constexpr absl::Duration kDelays[] = {absl::ZeroDuration(), absl::Milliseconds(1)};

  // Starts a program, named by its path, that ends with the test however that ends.
  Running StartServer(const std::string& program, const std::vector<std::string>& arguments);

  // In front of the server at `to`, with more `arguments`; records every delay.
  ProxyProcess StartProxy(const std::string& to, const std::vector<std::string>& arguments);
  // With a delay in both directions.
  ProxyProcess StartProxy(const std::string& to, absl::Duration delay);

  // No byte was handed on sooner than asked.
  static void ExpectNoneEarly(const v1::ProxyEvidence& evidence);
  // The same; nobody was refused, nothing was lost, and `delay` was asked of all bytes.
  static void ExpectIntact(const v1::ProxyEvidence& evidence, absl::Duration delay);

 private:
  int proxies_count_ = 0;
};

class PostgresProxiedTest : public ProxiedTest {
 protected:
  explicit PostgresProxiedTest(const std::vector<std::string>& settings = {})
      : cluster_({.has_tcp = true, .settings = settings}) {}

  ProxyProcess StartProxy(absl::Duration delay);

  // A libpq connection string through the proxy.
  static std::string Through(const ProxyProcess& proxy, const std::string& database = "postgres");

  // Runs one of PostgreSQL's own programs.
  Running StartClient(const std::string& program, const std::vector<std::string>& arguments);
  // The same to its end; what it printed. An exit code other than 0 fails the test.
  std::string RunClient(const std::string& program, const std::vector<std::string>& arguments);
  // What psql prints for `statement`, a row a line, without the last line's end.
  std::string Ask(const std::string& conninfo, const std::string& statement);
  // The same past the proxy.
  std::string AskServer(const std::string& statement, const std::string& database = "postgres");

  PostgresCluster cluster_;
};

// `count` lines of a thousand bytes, all different, the same ones in every run.
std::string MakeLines(int count);

}  // namespace tare

#endif  // TARE_TESTS_PROXY_CLIENTS_PROXIED_TEST_H_
