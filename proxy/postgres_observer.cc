#include "proxy/postgres_observer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tare::proxy {
namespace {

// What a startup packet carries where others have a version.
constexpr uint32_t kCancelRequest = 80877102;
constexpr uint32_t kTlsRequest = 80877103;
constexpr uint32_t kGssRequest = 80877104;
constexpr uint32_t kMajorVersion = 3;
constexpr char kTlsHandshake = 0x16;

constexpr uint8_t kFromClient = 1;
constexpr uint8_t kFromServer = 2;

// Who sends a message of each type.
constexpr std::array<uint8_t, 256> Senders() {
  std::array<uint8_t, 256> senders = {};
  for (const char type : {'B', 'C', 'D', 'E', 'F', 'H', 'P', 'Q', 'S', 'X', 'c', 'd', 'f', 'p'}) {
    senders[static_cast<uint8_t>(type)] |= kFromClient;
  }
  for (const char type : {'1', '2', '3', 'A', 'C', 'D', 'E', 'G', 'H', 'I', 'K', 'N',
                          'R', 'S', 'T', 'V', 'W', 'Z', 'c', 'd', 'n', 's', 't', 'v'}) {
    senders[static_cast<uint8_t>(type)] |= kFromServer;
  }
  return senders;
}
constexpr std::array<uint8_t, 256> kSenders = Senders();

std::string Quoted(char byte) {
  const auto value = static_cast<uint8_t>(byte);
  return absl::ascii_isprint(value) ? absl::StrFormat("'%c'", byte)
                                    : absl::StrFormat("0x%02x", value);
}

}  // namespace

// Takes what is missing of a header and returns whether it is complete.
bool PostgresObserver::Stream::TakeHeader(size_t wanted, absl::string_view& bytes) {
  const size_t count = std::min(wanted - header_bytes, bytes.size());
  for (const char byte : bytes.substr(0, count)) header = header << 8 | static_cast<uint8_t>(byte);
  header_bytes = static_cast<uint8_t>(header_bytes + count);
  bytes.remove_prefix(count);
  return header_bytes == wanted;
}

// Skips what is missing of a body and returns whether it is complete.
bool PostgresObserver::Stream::TakeBody(absl::string_view& bytes) {
  const size_t count = std::min<size_t>(body_bytes_left, bytes.size());
  body_bytes_left -= static_cast<uint32_t>(count);
  bytes.remove_prefix(count);
  return body_bytes_left == 0;
}

void PostgresObserver::FromClient(absl::string_view bytes, int64_t now_ns) {
  while (!bytes.empty() && is_observing()) {
    if (phase_ == Phase::kMessages) {
      if (TakeMessage(Side::kClient, client_, bytes)) OnClientMessage(now_ns);
    } else if (phase_ == Phase::kStartup) {
      TakeStartup(bytes);
    } else {
      Stop(Reason::kClientDidNotWait);
    }
  }
}

void PostgresObserver::FromServer(absl::string_view bytes, int64_t now_ns) {
  while (!bytes.empty() && is_observing()) {
    if (phase_ == Phase::kMessages) {
      if (TakeMessage(Side::kServer, server_, bytes)) OnServerMessage(now_ns);
    } else if (phase_ == Phase::kStartup) {
      Stop(is_postgres() ? Reason::kServerSpokeFirst : Reason::kNotPostgres);
    } else if (bytes[0] == 'E') {
      phase_ = Phase::kMessages;  // instead of an answer: an ErrorResponse, and the end
    } else {
      TakeAnswer(bytes[0]);
      bytes.remove_prefix(1);
    }
  }
}

void PostgresObserver::TakeStartup(absl::string_view& bytes) {
  if (client_.header_bytes == 0 && bytes[0] == kTlsHandshake) {
    is_postgres_.store(true, std::memory_order_release);
    return Stop(Reason::kTls);
  }
  if (!client_.TakeHeader(kStartupHeaderBytes, bytes)) return;
  const uint32_t length = static_cast<uint32_t>(client_.header >> 32);
  const uint32_t code = static_cast<uint32_t>(client_.header);
  const bool is_startup = code >> 16 == kMajorVersion;
  const bool is_encryption = code == kTlsRequest || code == kGssRequest;
  const uint32_t length_max = is_encryption ? kStartupHeaderBytes : kStartupBytesMax;
  if (length < kStartupHeaderBytes || length > length_max ||
      !(is_startup || is_encryption || code == kCancelRequest)) {
    return Stop(Reason::kNotPostgres);
  }
  is_postgres_.store(true, std::memory_order_release);
  if (code == kCancelRequest) return Stop(Reason::kCancel);
  if (is_encryption) {
    phase_ = code == kTlsRequest ? Phase::kTlsAnswer : Phase::kGssAnswer;
    client_.header_bytes = 0;
    return;
  }
  // The rest is skipped like the body of a message whose type is 0, which is none.
  phase_ = Phase::kMessages;
  client_.header = 0;
  client_.body_bytes_left = length - static_cast<uint32_t>(kStartupHeaderBytes);
}

void PostgresObserver::TakeAnswer(char answer) {
  const bool is_tls = phase_ == Phase::kTlsAnswer;
  if (answer == (is_tls ? 'S' : 'G')) return Stop(is_tls ? Reason::kTls : Reason::kGss);
  if (answer != 'N') return Stop(Reason::kUnknownAnswer, Side::kServer, answer, 0);
  phase_ = Phase::kStartup;
}

bool PostgresObserver::TakeMessage(Side side, Stream& stream, absl::string_view& bytes) {
  if (stream.header_bytes < kHeaderBytes) {
    if (!stream.TakeHeader(kHeaderBytes, bytes)) return false;
    const char type = stream.Type();
    const uint32_t length = stream.Length();
    const uint8_t senders = kSenders[static_cast<uint8_t>(type)];
    if ((senders & (side == Side::kClient ? kFromClient : kFromServer)) == 0) {
      Stop(senders == 0 ? Reason::kUnknownMessage : Reason::kOthersMessage, side, type, length);
      return false;
    }
    if (length < 4 || length > kMessageBytesMax) {
      Stop(Reason::kLength, side, type, length);
      return false;
    }
    stream.body_bytes_left = stream.BodyBytes();
  }
  if (!stream.TakeBody(bytes)) return false;
  stream.header_bytes = 0;
  return true;
}

void PostgresObserver::OnClientMessage(int64_t now_ns) {
  switch (client_.Type()) {
    case 'Q':  // Query
      queries_.Add(1);
      has_ended_copy_ = false;
      return OnRequest(now_ns, /*is_sync=*/false);
    case 'F':  // FunctionCall
      return OnRequest(now_ns, /*is_sync=*/false);
    case 'E':  // Execute
      executes_.Add(1);
      has_ended_copy_ = false;
      return;
    case 'S':  // Sync
      syncs_.Add(1);
      if (!is_copying_in_) OnRequest(now_ns, /*is_sync=*/true);
      return;
    case 'd':  // CopyData
      return copy_bytes_in_.Add(client_.BodyBytes());
    case 'c':  // CopyDone
    case 'f':  // CopyFail
      has_ended_copy_ = true;
      is_copying_in_ = false;
      return;
    default:
      return;
  }
}

void PostgresObserver::OnServerMessage(int64_t now_ns) {
  switch (server_.Type()) {
    case 'Z':  // ReadyForQuery
      return OnReady(now_ns);
    case 'E':  // ErrorResponse
      errors_.Add(1);
      is_copying_in_ = false;
      return;
    case 'd':  // CopyData
      return copy_bytes_out_.Add(server_.BodyBytes());
    case 'G':  // CopyInResponse
      return OnCopyIn();
    default:
      return;
  }
}

void PostgresObserver::OnRequest(int64_t now_ns, bool is_sync) {
  if (pending_.size() == kPendingMax) return Stop(Reason::kPending);
  pending_.Push(now_ns);
  is_newest_sync_ = is_sync;
}

// A server that reads a copy ignores every Sync in it. Clients such as libpq send one right after
// the Execute, before they know that it is a copy, and another after its end.
void PostgresObserver::OnCopyIn() {
  if (has_ended_copy_) return;  // the client did not wait; its Sync follows the copy's end
  is_copying_in_ = true;
  if (is_newest_sync_ && pending_.size() > 0) pending_.DropNewest();
}

void PostgresObserver::OnReady(int64_t now_ns) {
  is_copying_in_ = false;
  if (is_starting_) {
    is_starting_ = false;
    return;
  }
  if (pending_.size() == 0) return Stop(Reason::kReadyUnasked);
  const std::optional<int64_t> asked_ns = pending_.Pop();
  round_trips_.Add(1);
  if (asked_ns.has_value()) server_time_.Add(now_ns - *asked_ns);
}

void PostgresObserver::Stop(Reason reason) { Stop(reason, Side::kClient, 0, 0); }

void PostgresObserver::Stop(Reason reason, Side side, char byte, uint32_t length) {
  reason_side_ = side;
  reason_byte_ = byte;
  reason_length_ = length;
  reason_.store(reason, std::memory_order_release);
}

std::string PostgresObserver::WhyStopped() const {
  const Reason reason = reason_.load(std::memory_order_acquire);
  if (reason == Reason::kNone) return "";
  const bool is_client = reason_side_ == Side::kClient;
  const absl::string_view sender = is_client ? "the client" : "the server";
  switch (reason) {
    case Reason::kNone:
      break;
    case Reason::kNotPostgres:
      return "not PostgreSQL";
    case Reason::kTls:
      return "TLS";
    case Reason::kGss:
      return "GSSAPI encryption";
    case Reason::kCancel:
      return "cancel request";
    case Reason::kClientDidNotWait:
      return "the client did not wait for the answer to its request for encryption";
    case Reason::kUnknownAnswer:
      return absl::StrCat("unknown answer ", Quoted(reason_byte_), " to a request for encryption");
    case Reason::kServerSpokeFirst:
      return "the server spoke before the client's startup";
    case Reason::kUnknownMessage:
      return absl::StrCat("unknown message ", Quoted(reason_byte_), " from ", sender);
    case Reason::kOthersMessage:
      return absl::StrCat("message ", Quoted(reason_byte_), " from ", sender, ", which only the ",
                          is_client ? "server" : "client", " sends");
    case Reason::kLength:
      return absl::StrCat("message ", Quoted(reason_byte_), " from ", sender, " of length ",
                          reason_length_);
    case Reason::kReadyUnasked:
      return "ReadyForQuery from the server without a request";
    case Reason::kPending:
      return absl::StrCat("more than ", kPendingMax, " requests without an answer");
  }
  return "";
}

v1::PostgresTraffic PostgresObserver::Snapshot() const {
  v1::PostgresTraffic traffic;
  traffic.set_stopped(WhyStopped());
  traffic.set_queries(queries_.value());
  traffic.set_executes(executes_.value());
  traffic.set_syncs(syncs_.value());
  traffic.set_round_trips(round_trips_.value());
  *traffic.mutable_server_time() = server_time_.Snapshot();
  traffic.set_copy_bytes_in(copy_bytes_in_.value());
  traffic.set_copy_bytes_out(copy_bytes_out_.value());
  traffic.set_errors(errors_.value());
  return traffic;
}

}  // namespace tare::proxy
