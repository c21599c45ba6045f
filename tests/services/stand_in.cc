// Stands in for an agent that is going to be killed: starts a private PostgreSQL server under
// DIRECTORY, keeps it busy, prints its address, waits.
//
//   services_stand_in DIRECTORY

#include <stdio.h>

#include "agent/services/postgres_session.h"
#include "agent/services/service.h"
#include "base/status.h"

int main(int, char** argv) {
  tare::v1::Service asked;
  asked.set_name("db");
  asked.mutable_postgres();
  auto service = tare::agent::StartService(asked, {.directory = argv[1], .cpus = {}});
  if (!service.ok()) {
    fprintf(stderr, "%s\n", tare::FormatError(service.status()).c_str());
    return 1;
  }
  auto session = tare::agent::OpenPostgres((*service)->address(), {});
  if (!session.ok() || !(*session)->Query("CREATE TABLE t AS SELECT 1").ok()) return 1;
  printf("%s\n", (*service)->address().c_str());
  fflush(stdout);
  while ((*session)->Query("INSERT INTO t SELECT generate_series(1, 1000)").ok()) {
  }
  return 1;
}
