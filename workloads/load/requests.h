// All requests of a trial as the bytes that are sent, made before the first one is.
//
// Equal requests share their bytes. Immutable, thread-safe.

#ifndef TARE_WORKLOADS_LOAD_REQUESTS_H_
#define TARE_WORKLOADS_LOAD_REQUESTS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "workloads/load/settings.h"

namespace tare::load {

class Requests {
 public:
  // Errors: the bytes of different requests exceed kBytesMax.
  static std::variant<sdk::Error, Requests> Make(const Settings& settings, int64_t count,
                                                 uint64_t seed);
  static constexpr size_t kBytesMax = size_t{256} << 20;

  size_t size() const { return message_of_.size(); }
  const std::string& message(size_t i) const { return messages_[message_of_[i]]; }

  // "GET /loan?member=U-7", for people.
  std::string Describe(size_t i) const;

  // A digest of what the requests [first, end) ask for, in order. It does not depend on where
  // the server listens.
  uint64_t Digest(size_t first, size_t end) const;

 private:
  std::vector<std::string> messages_;
  std::vector<uint64_t> digests_;     // of messages_, without the server's address
  std::vector<uint32_t> message_of_;  // index into messages_, by request
};

// The bytes of one GET, for what is asked beside the load.
std::string MakeGet(const Address& server, const std::string& path);

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_REQUESTS_H_
