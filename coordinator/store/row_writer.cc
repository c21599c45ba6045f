#include "coordinator/store/row_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace tare::coordinator {
namespace {

constexpr size_t kPieceBytes = 64 << 10;

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

// Text that is not UTF-8 gets replacement characters rather than an exception.
std::string JsonText(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The shortest text that reads back to the same number.
std::string NumberText(double value) { return fmt::format("{}", value); }

struct CsvText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return absl::StrCat(value); }
  std::string operator()(double value) const { return NumberText(value); }
  std::string operator()(const std::string& value) const { return CsvField(value); }
};

struct JsonValue : CsvText {
  using CsvText::operator();
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(double value) const {
    return std::isfinite(value) ? NumberText(value) : "null";
  }
  std::string operator()(const std::string& value) const { return JsonText(value); }
};

}  // namespace

RowWriter::RowWriter(RowFormat format, std::vector<std::string> columns, RowSink sink)
    : format_(format), columns_(std::move(columns)), sink_(std::move(sink)) {
  if (format_ == RowFormat::kCsv) WriteCsv({columns_.begin(), columns_.end()});
}

absl::Status RowWriter::Write(const std::vector<RowValue>& values) {
  format_ == RowFormat::kCsv ? WriteCsv(values) : WriteJson(values);
  return pending_.size() < kPieceBytes ? absl::OkStatus() : Finish();
}

absl::Status RowWriter::Finish() {
  if (pending_.empty()) return absl::OkStatus();
  const absl::Status status = sink_(pending_);
  pending_.clear();
  return status;
}

void RowWriter::WriteCsv(const std::vector<RowValue>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    absl::StrAppend(&pending_, i > 0 ? "," : "", std::visit(CsvText(), values[i]));
  }
  absl::StrAppend(&pending_, "\r\n");
}

void RowWriter::WriteJson(const std::vector<RowValue>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    absl::StrAppend(&pending_, i > 0 ? "," : "{", JsonText(columns_[i]), ":",
                    std::visit(JsonValue(), values[i]));
  }
  absl::StrAppend(&pending_, "}\n");
}

}  // namespace tare::coordinator
