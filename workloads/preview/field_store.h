// Where a preview keeps its fields: the table `model_field` of a database.
//
// A preview is Update, ReadBack, Rollback, in this order; the table is then as before. Not
// thread-safe. Errors are the database's own words.

#ifndef TARE_WORKLOADS_PREVIEW_FIELD_STORE_H_
#define TARE_WORKLOADS_PREVIEW_FIELD_STORE_H_

#include <cstdint>
#include <optional>

#include "workloads/preview/model.h"
#include "workloads/sdk/cpp/error.h"

namespace tare::preview {

class FieldStore {
 public:
  virtual ~FieldStore() = default;

  // Makes the table anew with the fields of `initial`, replacing what an earlier process left.
  virtual std::optional<sdk::Error> Fill(const FieldMap& initial) = 0;

  // Begins a transaction and overrides four fields.
  virtual std::optional<sdk::Error> Update(const Drag& drag) = 0;

  // Replaces `fields` by all rows of the table.
  virtual std::optional<sdk::Error> ReadBack(FieldMap& fields) = 0;

  virtual std::optional<sdk::Error> Rollback() = 0;

  // Messages sent to a server so far; 0 where there is none.
  virtual int64_t client_writes() const = 0;
};

}  // namespace tare::preview

#endif  // TARE_WORKLOADS_PREVIEW_FIELD_STORE_H_
