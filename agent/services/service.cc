#include "agent/services/service.h"

#include "absl/strings/str_cat.h"
#include "agent/services/postgres.h"
#include "base/status.h"

namespace tare::agent {

absl::StatusOr<std::unique_ptr<Service>> StartService(const v1::Service& service,
                                                      const ServiceOptions& options) {
  if (service.has_postgres()) return StartPostgres(service, options, PostgresSearch());
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("service '", service.name(), "' is of no kind known here"))
      .Detail("known: postgres");
}

}  // namespace tare::agent
