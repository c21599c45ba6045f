#include "proxy/connection.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tare::proxy {
namespace {

// How long a reset waits for a peer that takes none of the bytes before it, and how often it looks.
constexpr int64_t kResetPatienceNs = 2'000'000'000;
constexpr int64_t kResetLookNs = 1'000'000;
// Reads of what had already come when the relay was told to stop.
constexpr int kDrainReadsMax = 1024;

const char* NameOf(Connection::Side side) {
  return side == Connection::Side::kClient ? "client" : "server";
}

FlowLimits LimitsOf(const RelayContext& context, Connection::Side to) {
  FlowLimits limits;
  limits.held_bytes_max = context.limits.held_bytes_max;
  if (to == Connection::Side::kClient) {
    limits.quota_bytes =
        std::max(context.faults.reset_after_bytes, context.faults.stall_after_bytes);
  }
  return limits;
}

// Bytes that the peer's system has not confirmed yet.
int UnconfirmedBytes(int fd) {
  int count = 0;
  return ioctl(fd, SIOCOUTQ, &count) == 0 ? count : 0;
}

void ResetOnClose(int fd) {
  const linger now = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

}  // namespace

Connection::Connection(UniqueFd client, std::shared_ptr<ConnectionRecord> record, uint64_t handle,
                       uint64_t seed, RelayContext* context)
    : handle_(handle),
      context_(context),
      record_(std::move(record)),
      accepted_ns_(NowNs()),
      to_server_(record_->profile.get(), record_->profile->DelaysToServer(), DeriveSeed(seed, 0),
                 LimitsOf(*context, Side::kServer), &context->pool, &record_->traffic.to_server),
      to_client_(record_->profile.get(), record_->profile->DelaysToClient(), DeriveSeed(seed, 1),
                 LimitsOf(*context, Side::kClient), &context->pool, &record_->traffic.to_client) {
  socket(Side::kClient).fd = std::move(client);
  if (context_->faults.refuses) {
    Abort("refused by a fault that was asked for");
    return;
  }
  const int64_t delay_ns = absl::ToInt64Nanoseconds(context_->faults.accept_delay);
  if (delay_ns > 0) {
    Arm(Wake::kWatch, accepted_ns_ + delay_ns);
  } else {
    Dial();
  }
}

void Connection::Dial() {
  absl::StatusOr<UniqueFd> server = context_->server.StartConnect();
  if (!server.ok()) {
    context_->ledger.failed.Add(1);
    Abort(absl::StrCat("server not reached: ", server.status().message()));
    return;
  }
  socket(Side::kServer).fd = *std::move(server);
  state_ = State::kDialling;
  SetEvents(Side::kServer, EPOLLOUT);
  give_up_ns_ = NowNs() + absl::ToInt64Nanoseconds(context_->limits.dial_timeout);
  Arm(Wake::kWatch, give_up_ns_);
}

void Connection::FinishDial() {
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(socket(Side::kServer).fd.get(), SOL_SOCKET, SO_ERROR, &error, &length);
  if (error != 0) {
    context_->ledger.failed.Add(1);
    Abort(absl::StrCat("server not reached: ", std::strerror(error)));
    return;
  }
  record_->dial_ns.store(NowNs() - accepted_ns_, std::memory_order_relaxed);
  state_ = State::kOpen;
  Settle();
}

void Connection::OnEvents(Side side, uint32_t events) {
  if (state_ == State::kDialling) {
    FinishDial();
    return;
  }
  if (state_ != State::kOpen) return;
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0 && FlowFrom(side).wants_read()) {
    ReadFrom(side);
  }
  if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0 && FlowTo(side).wants_write()) {
    FlowTo(side).Release(socket(side).fd.get(), NowNs());
  }
  Settle();
}

bool Connection::ReadFrom(Side side) {
  Flow& flow = FlowFrom(side);
  const int64_t read_ns = NowNs();
  const absl::string_view bytes = flow.Read(socket(side).fd.get(), context_->block);
  if (bytes.empty()) return false;
  const bool is_client = side == Side::kClient;
  if (!has_anyone_spoken_ || is_client != has_client_spoken_last_) {
    if (has_anyone_spoken_ && !is_client) record_->traffic.turns.Add(1);
    flow.BeginTurn();
  }
  has_anyone_spoken_ = true;
  has_client_spoken_last_ = is_client;
  if (is_client) record_->traffic.client_writes.Add(1);
  flow.Take(bytes, read_ns, socket(Other(side)).fd.get(), &context_->block);
  // After the bytes have gone, so that it delays nothing.
  Observe(side, bytes, read_ns);
  return true;
}

void Connection::Observe(Side side, absl::string_view bytes, int64_t read_ns) {
  if (side == Side::kClient) {
    record_->traffic.postgres.FromClient(bytes, read_ns);
  } else {
    record_->traffic.postgres.FromServer(bytes, read_ns);
  }
}

void Connection::OnWake(const Timers::Entry& entry, int64_t now_ns) {
  int64_t& armed_ns = armed_ns_[static_cast<int>(entry.wake)];
  if (entry.at_ns == armed_ns) armed_ns = kNeverNs;
  if (is_closed()) return;
  if (entry.wake == Wake::kWatch) {
    Watch(now_ns);
    return;
  }
  const Side to = entry.wake == Wake::kToServer ? Side::kServer : Side::kClient;
  if (state_ != State::kOpen) return;
  // Something else may have handed on what this was armed for; then it is armed for the next.
  if (FlowTo(to).next_due_ns() <= now_ns) FlowTo(to).Release(socket(to).fd.get(), now_ns);
  Settle();
}

void Connection::Watch(int64_t now_ns) {
  if (state_ == State::kWaiting) {
    Dial();
  } else if (state_ == State::kDialling) {
    if (now_ns < give_up_ns_) return;
    context_->ledger.failed.Add(1);
    Abort(absl::StrCat("server not reached in ",
                       absl::FormatDuration(context_->limits.dial_timeout)));
  } else if (state_ == State::kResetting) {
    LookAtReset(now_ns);
  } else if ((to_server_.end() == Flow::End::kOpen) != (to_client_.end() == Flow::End::kOpen)) {
    const int64_t active_ns = std::max(to_server_.active_ns(), to_client_.active_ns());
    const absl::Duration idle = absl::Nanoseconds(now_ns - active_ns);
    if (idle >= context_->limits.half_close_timeout) {
      Abort(absl::StrCat("half closed and silent for ",
                         absl::FormatDuration(context_->limits.half_close_timeout)));
    } else {
      Settle();  // looks again when it would be too long
    }
  }
}

void Connection::Drain() {
  if (is_closed() || state_ == State::kResetting) return;  // the latter is about to end
  if (state_ != State::kOpen) {
    Abort("the proxy was stopped");
    return;
  }
  SayCause("the proxy was stopped");
  for (const Side side : {Side::kClient, Side::kServer}) {
    for (int i = 0; i < kDrainReadsMax && FlowFrom(side).wants_read() && ReadFrom(side); ++i) {
    }
    FlowFrom(side).StopReading();
    FlowTo(Other(side)).Release(socket(Other(side)).fd.get(), NowNs());
  }
  Settle();
}

void Connection::Settle() {
  for (const Side side : {Side::kClient, Side::kServer}) SettleBrokenSink(side);
  if (SettleEnds()) return;
  for (const Side side : {Side::kClient, Side::kServer}) {
    SetEvents(side, (FlowFrom(side).wants_read() ? uint32_t{EPOLLIN} : 0) |
                        (FlowTo(side).wants_write() ? uint32_t{EPOLLOUT} : 0));
  }
  Arm(Wake::kToServer, to_server_.next_due_ns());
  Arm(Wake::kToClient, to_client_.next_due_ns());
}

// Who does not take our bytes any more was reset; what it said before that is still worth having.
void Connection::SettleBrokenSink(Side side) {
  if (FlowTo(side).end() != Flow::End::kBroken || FlowFrom(side).has_source_ended()) return;
  SayCause(absl::StrCat(NameOf(side), " reset"));
  FlowFrom(side).DoubtSource();
  for (int i = 0; i < kDrainReadsMax && FlowFrom(side).wants_read() && ReadFrom(side); ++i) {
  }
  FlowFrom(side).BreakSource();
  FlowFrom(side).Release(socket(Other(side)).fd.get(), NowNs());
}

// True when the connection leaves the open state.
bool Connection::SettleEnds() {
  for (const Side side : {Side::kClient, Side::kServer}) {
    if (FlowFrom(side).end() == Flow::End::kReset) {
      SayCause(absl::StrCat(NameOf(side), " reset"));
      FlowTo(side).BreakSink();
      BeginReset(Other(side));
      return true;
    }
    if (FlowFrom(side).end() == Flow::End::kClosed) SayCause(absl::StrCat(NameOf(side), " closed"));
  }
  if (to_client_.is_exhausted() && context_->faults.reset_after_bytes >= 0) {
    Abort("reset by a fault that was asked for");
    return true;
  }
  const bool is_to_server_open = to_server_.end() == Flow::End::kOpen;
  const bool is_to_client_open = to_client_.end() == Flow::End::kOpen;
  if (!is_to_server_open && !is_to_client_open) {
    const bool is_server_broken = to_server_.end() == Flow::End::kBroken;
    const bool is_client_broken = to_client_.end() == Flow::End::kBroken;
    if (is_server_broken == is_client_broken) {
      Close(/*is_reset=*/is_server_broken);
    } else {
      BeginReset(is_server_broken ? Side::kClient : Side::kServer);
    }
    return true;
  }
  if (is_to_server_open != is_to_client_open) {
    const int64_t active_ns = std::max(to_server_.active_ns(), to_client_.active_ns());
    Arm(Wake::kWatch, active_ns + absl::ToInt64Nanoseconds(context_->limits.half_close_timeout));
  }
  return false;
}

// A reset overtakes bytes that are still in our system, so it waits for them.
void Connection::BeginReset(Side side) {
  state_ = State::kResetting;
  reset_side_ = side;
  unconfirmed_bytes_ = std::numeric_limits<int>::max();
  for (const Side each : {Side::kClient, Side::kServer}) SetEvents(each, 0);
  LookAtReset(NowNs());
}

// As long as the peer takes something, it may take its time.
void Connection::LookAtReset(int64_t now_ns) {
  const int left = UnconfirmedBytes(socket(reset_side_).fd.get());
  if (left < unconfirmed_bytes_) give_up_ns_ = now_ns + kResetPatienceNs;
  unconfirmed_bytes_ = left;
  if (left == 0 || now_ns >= give_up_ns_) {
    Close(/*is_reset=*/true);
  } else {
    Arm(Wake::kWatch, now_ns + kResetLookNs);
  }
}

void Connection::SetEvents(Side side, uint32_t events) {
  Socket& changed = socket(side);
  if (changed.events == events || !changed.fd.is_open()) return;
  epoll_event event = {};
  event.events = events;
  event.data.u64 = handle_ | static_cast<uint64_t>(side);
  const int operation = events == 0           ? EPOLL_CTL_DEL
                        : changed.events == 0 ? EPOLL_CTL_ADD
                                              : EPOLL_CTL_MOD;
  epoll_ctl(context_->epoll, operation, changed.fd.get(), &event);
  changed.events = events;
}

void Connection::Arm(Wake wake, int64_t at_ns) {
  int64_t& armed_ns = armed_ns_[static_cast<int>(wake)];
  if (at_ns >= armed_ns) return;
  armed_ns = at_ns;
  // Only releases need to be exact.
  Timers& timers = wake == Wake::kWatch ? context_->watches : context_->timers;
  timers.Add({at_ns, handle_, wake});
}

void Connection::Abort(const std::string& cause) {
  cause_ = cause;
  to_server_.BreakSink();
  to_client_.BreakSink();
  Close(/*is_reset=*/true);
}

void Connection::Close(bool is_reset) {
  if (is_closed()) return;
  state_ = State::kClosed;
  for (Socket& each : sockets_) {
    if (is_reset && each.fd.is_open()) ResetOnClose(each.fd.get());
    each.fd.Reset();  // leaves the epoll set with it
    each.events = 0;
  }
  context_->ledger.Close(*record_, cause_);
}

}  // namespace tare::proxy
