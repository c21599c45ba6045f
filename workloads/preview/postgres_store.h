// A FieldStore in a PostgreSQL server, in the schema `tare_preview`.
//
// A preview is exactly three client writes, each one round trip: BEGIN and the update in one, the
// select, the rollback.

#ifndef TARE_WORKLOADS_PREVIEW_POSTGRES_STORE_H_
#define TARE_WORKLOADS_PREVIEW_POSTGRES_STORE_H_

#include <memory>
#include <string>

#include "workloads/preview/field_store.h"

namespace tare::preview {

// `address` is a libpq connection string. Connects in Fill.
std::unique_ptr<FieldStore> MakePostgresStore(const std::string& address);

}  // namespace tare::preview

#endif  // TARE_WORKLOADS_PREVIEW_POSTGRES_STORE_H_
