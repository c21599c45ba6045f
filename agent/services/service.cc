#include "agent/services/service.h"

#include "absl/strings/str_cat.h"
#include "agent/services/postgres.h"
#include "agent/services/proxy.h"
#include "agent/services/server.h"
#include "base/status.h"

namespace tare::agent {
namespace {

absl::StatusOr<std::unique_ptr<Service>> StartByKind(const v1::Service& service,
                                                     const ServiceOptions& options) {
  if (service.has_postgres()) return StartPostgres(service, options, PostgresSearch());
  if (service.has_proxy()) return StartProxy(service, options);
  if (service.has_server()) return StartServer(service, options);
  return MakeError(absl::StatusCode::kInvalidArgument, "is of no kind known here")
      .Detail("known: postgres, proxy, server");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Service>> StartService(const v1::Service& service,
                                                      const ServiceOptions& options) {
  absl::StatusOr<std::unique_ptr<Service>> started = StartByKind(service, options);
  if (started.ok()) return started;
  return Annotate(started.status(), absl::StrCat("service '", service.name(), "'"));
}

}  // namespace tare::agent
