// Sends what is in the spool to the coordinator, one unacknowledged chunk at a time.
//
// Has a thread of its own that sleeps while the spool is empty, so it costs nothing during a
// measurement (an attempt's chunks are spooled when it has ended). Retries for ever what may
// succeed later, with growing pauses; lets go of a chunk that the coordinator will never take, and
// logs it.
//
// Thread-safe.

#ifndef TARE_AGENT_UPLOAD_H_
#define TARE_AGENT_UPLOAD_H_

#include <memory>
#include <string>

#include "agent/spool.h"

namespace tare::agent {

class Upload {
 public:
  virtual ~Upload() = default;
};

// `spool` must outlive it. The destructor ends the stream; what is unsent stays in the spool.
std::unique_ptr<Upload> StartUpload(const std::string& coordinator, Spool* spool);

}  // namespace tare::agent

#endif  // TARE_AGENT_UPLOAD_H_
