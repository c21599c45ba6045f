// A FieldStore in an SQLite database, in memory or in a file.

#ifndef TARE_WORKLOADS_PREVIEW_SQLITE_STORE_H_
#define TARE_WORKLOADS_PREVIEW_SQLITE_STORE_H_

#include <memory>
#include <string>

#include "workloads/preview/field_store.h"

namespace tare::preview {

// An empty `path` is a database in memory. Opens in Fill.
std::unique_ptr<FieldStore> MakeSqliteStore(const std::string& path);

}  // namespace tare::preview

#endif  // TARE_WORKLOADS_PREVIEW_SQLITE_STORE_H_
