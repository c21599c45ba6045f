#include "agent/launch/message.h"

#include <charconv>
#include <cstring>

namespace tare::agent {
namespace {

template <typename Number>
std::optional<Number> NumberOf(const std::string& text) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

// Each field is its length (32 bits, this machine's order: it never leaves the machine), then
// bytes.
std::string EncodeFields(const Fields& fields) {
  std::string packet;
  for (const std::string& field : fields) {
    const auto size = static_cast<uint32_t>(field.size());
    char length[sizeof size];
    memcpy(length, &size, sizeof size);
    packet.append(length, sizeof length);
    packet.append(field);
  }
  return packet;
}

std::optional<Fields> DecodeFields(const std::string& packet) {
  Fields fields;
  size_t at = 0;
  while (at < packet.size()) {
    uint32_t size = 0;
    if (packet.size() - at < sizeof size) return std::nullopt;
    memcpy(&size, packet.data() + at, sizeof size);
    at += sizeof size;
    if (packet.size() - at < size) return std::nullopt;
    fields.push_back(packet.substr(at, size));
    at += size;
  }
  return fields;
}

Fields FieldsOf(const StartRequest& request) {
  Fields cpus;
  for (int cpu : request.cpus) cpus.push_back(std::to_string(cpu));
  return {kStart,
          EncodeFields(request.command),
          EncodeFields(request.environment),
          request.working_directory,
          request.user,
          EncodeFields(cpus),
          EncodeFields(request.remove_after),
          EncodeFields(request.remove_if_stopped),
          std::to_string(request.stop_signal),
          std::to_string(request.grace_ms),
          request.has_protocol ? "1" : "0"};
}

std::optional<StartRequest> StartRequestOf(const Fields& fields) {
  if (fields.size() != 11 || fields[0] != kStart) return std::nullopt;
  const auto command = DecodeFields(fields[1]);
  const auto environment = DecodeFields(fields[2]);
  const auto cpus = DecodeFields(fields[5]);
  const auto remove_after = DecodeFields(fields[6]);
  const auto remove_if_stopped = DecodeFields(fields[7]);
  const auto stop_signal = NumberOf<int>(fields[8]);
  const auto grace_ms = NumberOf<int64_t>(fields[9]);
  if (!command || command->empty() || !environment || !cpus || !remove_after ||
      !remove_if_stopped || !stop_signal || !grace_ms) {
    return std::nullopt;
  }
  StartRequest request{.command = *command,
                       .environment = *environment,
                       .working_directory = fields[3],
                       .user = fields[4],
                       .cpus = {},
                       .remove_after = *remove_after,
                       .remove_if_stopped = *remove_if_stopped,
                       .stop_signal = *stop_signal,
                       .grace_ms = *grace_ms,
                       .has_protocol = fields[10] == "1"};
  for (const std::string& text : *cpus) {
    const auto cpu = NumberOf<int>(text);
    if (!cpu) return std::nullopt;
    request.cpus.push_back(*cpu);
  }
  return request;
}

Fields FieldsOf(const ExitReport& report) {
  return {kDone,
          std::to_string(report.wait_status),
          std::to_string(report.user_ns),
          std::to_string(report.system_ns),
          std::to_string(report.memory_peak_bytes),
          std::to_string(report.leftovers_count),
          report.tail};
}

std::optional<ExitReport> ExitReportOf(const Fields& fields) {
  if (fields.size() != 7 || fields[0] != kDone) return std::nullopt;
  const auto wait_status = NumberOf<int>(fields[1]);
  const auto user_ns = NumberOf<int64_t>(fields[2]);
  const auto system_ns = NumberOf<int64_t>(fields[3]);
  const auto memory_peak_bytes = NumberOf<int64_t>(fields[4]);
  const auto leftovers_count = NumberOf<int>(fields[5]);
  if (!wait_status || !user_ns || !system_ns || !memory_peak_bytes || !leftovers_count) {
    return std::nullopt;
  }
  return ExitReport{.wait_status = *wait_status,
                    .user_ns = *user_ns,
                    .system_ns = *system_ns,
                    .memory_peak_bytes = *memory_peak_bytes,
                    .leftovers_count = *leftovers_count,
                    .tail = fields[6]};
}

}  // namespace tare::agent
