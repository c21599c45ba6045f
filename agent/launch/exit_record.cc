#include "agent/launch/exit_record.h"

namespace tare::agent {

void RecordExit(const ExitStatus& exit, v1::Process* record) {
  if (exit.code.has_value()) record->set_exit_code(*exit.code);
  if (exit.signal.has_value()) record->set_exit_signal(*exit.signal);
  record->set_user_ns(exit.user_ns);
  record->set_system_ns(exit.system_ns);
  record->set_memory_peak_bytes(exit.memory_peak_bytes);
  record->set_leftovers_count(exit.leftovers_count);
}

}  // namespace tare::agent
