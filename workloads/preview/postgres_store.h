// A FieldStore in a PostgreSQL server, in a schema of its own.
//
// A preview is exactly three client writes, each one round trip: BEGIN and the update in one, the
// select, the rollback.

#ifndef TARE_WORKLOADS_PREVIEW_POSTGRES_STORE_H_
#define TARE_WORKLOADS_PREVIEW_POSTGRES_STORE_H_

#include <memory>
#include <string>

#include "workloads/preview/field_store.h"

namespace tare::preview {

// `address` is a libpq connection string. Connects in Fill, and makes `schema`, an SQL name, where
// it is missing. Two stores in one database need two schemas.
std::unique_ptr<FieldStore> MakePostgresStore(const std::string& address,
                                              const std::string& schema);

}  // namespace tare::preview

#endif  // TARE_WORKLOADS_PREVIEW_POSTGRES_STORE_H_
