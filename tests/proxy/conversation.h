// What passed on a connection, to be shown to a PostgresObserver in any segmentation.

#ifndef TARE_TESTS_PROXY_CONVERSATION_H_
#define TARE_TESTS_PROXY_CONVERSATION_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tare/v1/proxy.pb.h"

namespace tare::proxy {

// Bytes that one side sent without waiting for the other.
struct Piece {
  bool is_from_client = true;
  std::string bytes;
};
using Conversation = std::vector<Piece>;

// How to cut a conversation when showing it: at least between its pieces.
struct Cuts {
  size_t part_bytes = std::numeric_limits<size_t>::max();  // into parts of at most so many bytes
  size_t split_at = 0;                                     // and before this byte, of all bytes
};

struct Observation {
  bool is_postgres = false;
  v1::PostgresTraffic traffic;

  bool operator==(const Observation& other) const;
};

// Piece i is read at i × kPieceNs, however it is cut.
inline constexpr int64_t kPieceNs = 1000;
Observation Observe(const Conversation& conversation, const Cuts& cuts = {});

// A fuzzer's input: first the size of parts less 1; then pieces, from the client and from the
// server in turn, each with a byte of its length before it.
Conversation ParseInput(absl::string_view input);

// Shows the input whole and cut and returns what is wrong with the result; empty when nothing is.
std::string FindViolation(absl::string_view input);

}  // namespace tare::proxy

#endif  // TARE_TESTS_PROXY_CONVERSATION_H_
