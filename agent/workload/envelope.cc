#include "agent/workload/envelope.h"

#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::agent {
namespace {

constexpr size_t kQuotedBytesMax = 80;

absl::Status WorkloadSaid(const Json& body) {
  JsonFields fields(body, "error");
  const std::string code = fields.Text("code");
  const std::string message = fields.Text("message");
  const std::string detail = fields.Text("detail");
  RETURN_IF_ERROR(fields.status());
  absl::Status said = MakeError(absl::StatusCode::kFailedPrecondition,
                                message.empty() ? "workload gave up without saying why" : message)
                          .Detail(detail);
  said.SetPayload(kWorkloadCodeUrl, absl::Cord(code));
  return said;
}

}  // namespace

std::string Line(const char* name, Json body) {
  Json message = Json::object();
  message[name] = std::move(body);
  return absl::StrCat(message.dump(-1, ' ', false, Json::error_handler_t::replace), "\n");
}

absl::Status NotTheProtocol(absl::string_view line, absl::string_view reason) {
  std::string quoted;
  for (const char c : line.substr(0, kQuotedBytesMax)) {
    const bool is_printable = c >= ' ' && c <= '~';
    quoted.push_back(is_printable ? c : '?');
  }
  if (line.size() > kQuotedBytesMax) quoted += "...";
  return MakeError(absl::StatusCode::kDataLoss,
                   "workload wrote a line that is not the workload protocol")
      .Detail(absl::StrCat(reason, "; the line is '", quoted, "'"))
      .Try(
          "see docs/workload-protocol.md; a program writes the protocol to the descriptor in "
          "TARE_WORKLOAD_OUT, all else to stdout or stderr");
}

absl::StatusOr<Json> OpenEnvelope(absl::string_view line, const std::string& name) {
  absl::StatusOr<Json> message = ParseJsonObject(line);
  if (!message.ok()) return NotTheProtocol(line, message.status().message());
  if (message->size() != 1) {
    return NotTheProtocol(line,
                          absl::StrCat("expected one key, '", name, "', got ", message->size()));
  }
  const std::string& key = message->begin().key();
  if (key == "error") {
    absl::Status said = WorkloadSaid(message->front());
    if (said.code() == absl::StatusCode::kDataLoss) return NotTheProtocol(line, said.message());
    return said;
  }
  if (key != name) {
    return NotTheProtocol(line, absl::StrCat("expected '", name, "', got '", key, "'"));
  }
  return std::move(message->front());
}

}  // namespace tare::agent
