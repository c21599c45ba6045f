// Rows of named values as text for other programs: CSV (RFC 4180, with a header) or JSON lines.
//
// Writes to a sink in pieces of about 64 KiB, so memory does not grow with the rows. In CSV an
// absent value is an empty field, in JSON null. Not thread-safe.
//
//   RowWriter writer(RowFormat::kCsv, {"trial", "value_ns"}, sink);
//   RETURN_IF_ERROR(writer.Write({int64_t{3}, int64_t{354'210}}));
//   return writer.Finish();

#ifndef TARE_COORDINATOR_STORE_ROW_WRITER_H_
#define TARE_COORDINATOR_STORE_ROW_WRITER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {

enum class RowFormat { kCsv, kJsonLines };

using RowSink = std::function<absl::Status(absl::string_view text)>;

// monostate: absent.
using RowValue = std::variant<std::monostate, bool, int64_t, double, std::string>;

class RowWriter {
 public:
  RowWriter(RowFormat format, std::vector<std::string> columns, RowSink sink);

  // Requires: as many values as columns. Errors are the sink's.
  absl::Status Write(const std::vector<RowValue>& values);

  // Hands the rest to the sink. Once, last.
  absl::Status Finish();

 private:
  void WriteCsv(const std::vector<RowValue>& values);
  void WriteJson(const std::vector<RowValue>& values);

  const RowFormat format_;
  const std::vector<std::string> columns_;
  const RowSink sink_;
  std::string pending_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_ROW_WRITER_H_
