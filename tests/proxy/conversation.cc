#include "tests/proxy/conversation.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proxy/postgres_observer.h"

namespace tare::proxy {

bool Observation::operator==(const Observation& other) const {
  return is_postgres == other.is_postgres &&
         traffic.SerializeAsString() == other.traffic.SerializeAsString();
}

Observation Observe(const Conversation& conversation, const Cuts& cuts) {
  PostgresObserver observer;
  int64_t now_ns = 0;
  size_t offset = 0;
  for (const Piece& piece : conversation) {
    absl::string_view left = piece.bytes;
    do {
      size_t count = std::min(left.size(), cuts.part_bytes);
      if (offset < cuts.split_at) count = std::min(count, cuts.split_at - offset);
      const absl::string_view part = left.substr(0, count);
      piece.is_from_client ? observer.FromClient(part, now_ns) : observer.FromServer(part, now_ns);
      left.remove_prefix(count);
      offset += count;
    } while (!left.empty());
    now_ns += kPieceNs;
  }
  return {observer.is_postgres(), observer.Snapshot()};
}

Conversation ParseInput(absl::string_view input) {
  Conversation conversation;
  if (!input.empty()) input.remove_prefix(1);
  for (bool is_from_client = true; !input.empty(); is_from_client = !is_from_client) {
    const size_t length = static_cast<unsigned char>(input[0]);
    conversation.push_back({is_from_client, std::string(input.substr(1, length))});
    input.remove_prefix(std::min(input.size(), length + 1));
  }
  return conversation;
}

std::string FindViolation(absl::string_view input) {
  if (input.empty()) return "";
  const Conversation conversation = ParseInput(input);
  const Observation whole = Observe(conversation);
  const Observation cut =
      Observe(conversation, {.part_bytes = static_cast<unsigned char>(input[0]) + size_t{1}});
  const v1::PostgresTraffic& traffic = whole.traffic;
  if (!(whole == cut)) {
    return absl::StrCat("cut otherwise, it is not the same:\n", traffic.DebugString(), "and\n",
                        cut.traffic.DebugString());
  }
  // An upper bound for the FunctionCalls, which nobody counts.
  int64_t function_calls = 0;
  int64_t bytes = 0;
  for (const Piece& piece : conversation) {
    bytes += static_cast<int64_t>(piece.bytes.size());
    if (piece.is_from_client) {
      function_calls += std::count(piece.bytes.begin(), piece.bytes.end(), 'F');
    }
  }
  std::string violation;
  const auto expect_at_most = [&](absl::string_view what, int64_t value, int64_t limit) {
    if (value >= 0 && value <= limit) return;
    absl::StrAppend(&violation, what, " is ", value, ", not in 0 to ", limit, "\n");
  };
  expect_at_most("messages", traffic.queries() + traffic.executes() + traffic.syncs(), bytes / 5);
  expect_at_most("copied bytes", traffic.copy_bytes_in() + traffic.copy_bytes_out(), bytes);
  expect_at_most("errors", traffic.errors(), bytes / 5);
  expect_at_most("round trips", traffic.round_trips(),
                 traffic.queries() + traffic.syncs() + function_calls);
  expect_at_most("timed round trips", traffic.server_time().count(), traffic.round_trips());
  if (!whole.is_postgres && traffic.queries() + traffic.syncs() + traffic.errors() != 0) {
    absl::StrAppend(&violation, "messages were counted of what is not PostgreSQL\n");
  }
  return violation;
}

}  // namespace tare::proxy
