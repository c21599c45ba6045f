#include "workloads/load/generator.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "workloads/sdk/cpp/clock.h"

namespace tare::load {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kNeverNs = std::numeric_limits<int64_t>::max();
// A timer wakes late by up to this; so long before a send the sockets are polled instead.
constexpr int64_t kPollingNs = 50'000;
// The last of it, shorter than one look at the sockets takes.
constexpr int64_t kLastLookNs = 1'000;

}  // namespace

Generator::Generator(const Settings* settings, const Requests* requests, const SendTimes* times)
    : settings_(*settings),
      requests_(*requests),
      times_(*times),
      outcomes_(requests->size()),
      slots_(static_cast<size_t>(settings->connections_max)) {
  idle_.reserve(slots_.size());
  for (size_t i = slots_.size(); i > 0; --i) free_.push_back(static_cast<SlotIndex>(i - 1));
}

std::optional<sdk::Error> Generator::Run(size_t count) {
  epoll_ = UniqueFd(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.is_open()) return sdk::Error{"cannot poll sockets", std::strerror(errno), ""};
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  count_ = count;
  start_ns_ = sdk::ClockNs();
  while (ended_ < count_) {
    TakeDue();
    const int events = Wait();
    for (int i = 0; i < events; ++i) Handle(events_[static_cast<size_t>(i)]);
    if (oldest_ < taken_) Expire(NowNs());
    Dispatch();
  }
  for (SlotIndex i = 0; i < slots_.size(); ++i) {
    if (slots_[i].state != State::kClosed) Close(i);
  }
  return std::nullopt;
}

int64_t Generator::NowNs() const { return sdk::ClockNs() - start_ns_; }

bool Generator::IsDue(int64_t now_ns) const {
  if (taken_ == count_) return false;
  if (settings_.is_closed) return taken_ - ended_ < slots_.size();
  return times_[taken_] <= now_ns;
}

void Generator::TakeDue() {
  for (int64_t now_ns = NowNs(); IsDue(now_ns); now_ns = NowNs()) {
    const size_t request = taken_++;
    outcomes_[request].taken_ns = now_ns;
    outcomes_[request].intended_ns = settings_.is_closed ? now_ns : times_[request];
    if (next_ == request && !idle_.empty()) {
      // Nothing waits: the reading that took it up is also that of the send.
      const SlotIndex index = idle_.back();
      idle_.pop_back();
      ++next_;
      Send(index, request, now_ns);
    } else {
      Dispatch();
    }
  }
}

void Generator::Dispatch() {
  while (next_ < taken_) {
    if (!idle_.empty()) {
      const SlotIndex index = idle_.back();
      idle_.pop_back();
      Send(index, next_++, NowNs());
    } else if (connecting_ < taken_ - next_ && !free_.empty()) {
      const SlotIndex index = free_.back();
      free_.pop_back();
      Open(index);
    } else {
      return;
    }
  }
}

void Generator::Send(SlotIndex index, size_t request, int64_t now_ns) {
  Slot& slot = slots_[index];
  outcomes_[request].sent_ns = now_ns;
  outcomes_[request].connection = static_cast<int>(index);
  slot.request = request;
  slot.state = State::kBusy;
  switch (slot.connection.Send(requests_.message(request), settings_.method == "HEAD")) {
    case Connection::Progress::kDone:
      return;
    case Connection::Progress::kPending:
      return Watch(index, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
    case Connection::Progress::kFailed:
      End(request, Failure::kBroken, slot.connection.what(), slot.connection.error_number(),
          NowNs());
      return Close(index);
  }
}

void Generator::Open(SlotIndex index) {
  Slot& slot = slots_[index];
  const Connection::Progress progress = slot.connection.Open(settings_.server);
  if (progress == Connection::Progress::kFailed) {
    FailConnecting(slot.connection);
    return Close(index);
  }
  ++slot.uses;
  if (progress == Connection::Progress::kPending) {
    slot.state = State::kConnecting;
    ++connecting_;
    return Watch(index, EPOLL_CTL_ADD, EPOLLOUT);
  }
  Watch(index, EPOLL_CTL_ADD, EPOLLIN);
  slot.state = State::kIdle;
  ++opened_;
  idle_.push_back(index);
}

void Generator::Watch(SlotIndex index, int operation, uint32_t events) {
  epoll_event event = {};
  event.events = events;
  event.data.u64 = uint64_t{slots_[index].uses} << 32 | index;
  epoll_ctl(epoll_.get(), operation, slots_[index].connection.fd(), &event);
}

void Generator::Close(SlotIndex index) {
  Slot& slot = slots_[index];
  if (slot.state == State::kIdle) idle_.erase(std::find(idle_.begin(), idle_.end(), index));
  if (slot.state == State::kConnecting) --connecting_;
  slot.connection.Close();
  slot.state = State::kClosed;
  free_.push_back(index);
}

int64_t Generator::NextNs() const {
  int64_t next_ns = kNeverNs;
  if (!settings_.is_closed && taken_ < count_) next_ns = times_[taken_];
  if (oldest_ < taken_) {
    next_ns = std::min(next_ns, outcomes_[oldest_].taken_ns + settings_.timeout_ns);
  }
  return next_ns;
}

int Generator::Wait() {
  const int64_t left_ns = NextNs() - NowNs();
  if (left_ns > 0 && left_ns < kLastLookNs) return 0;
  timespec timeout = {};
  if (!settings_.is_spinning && left_ns > kPollingNs) {
    const int64_t sleep_ns = left_ns - kPollingNs;
    timeout = {sleep_ns / kSecondNs, sleep_ns % kSecondNs};
  }
  return epoll_pwait2(epoll_.get(), events_.data(), static_cast<int>(events_.size()), &timeout,
                      nullptr);
}

void Generator::Handle(const epoll_event& event) {
  const auto index = static_cast<SlotIndex>(event.data.u64);
  Slot& slot = slots_[index];
  if (slot.uses != event.data.u64 >> 32) return;
  switch (slot.state) {
    case State::kClosed:
      return;
    case State::kConnecting:
      return HandleConnecting(index);
    case State::kIdle:
      if (slot.connection.IsDisturbed()) Close(index);
      return;
    case State::kBusy:
      return HandleBusy(index, event.events);
  }
}

void Generator::HandleConnecting(SlotIndex index) {
  Slot& slot = slots_[index];
  if (slot.connection.FinishOpen() == Connection::Progress::kFailed) {
    FailConnecting(slot.connection);
    return Close(index);
  }
  Watch(index, EPOLL_CTL_MOD, EPOLLIN);
  --connecting_;
  ++opened_;
  slot.state = State::kIdle;
  idle_.push_back(index);
}

void Generator::HandleBusy(SlotIndex index, uint32_t events) {
  Slot& slot = slots_[index];
  Connection& connection = slot.connection;
  Connection::Progress progress = Connection::Progress::kPending;
  if ((events & EPOLLOUT) != 0) {
    progress = connection.SendMore();
    if (progress == Connection::Progress::kDone) Watch(index, EPOLL_CTL_MOD, EPOLLIN);
    if (progress != Connection::Progress::kFailed) progress = Connection::Progress::kPending;
  }
  if (progress == Connection::Progress::kPending && (events & ~uint32_t{EPOLLOUT}) != 0) {
    progress = connection.Receive();
  }
  if (progress == Connection::Progress::kPending) return;
  const int64_t now_ns = NowNs();
  if (progress == Connection::Progress::kFailed) {
    End(slot.request, Failure::kBroken, connection.what(), connection.error_number(), now_ns);
    return Close(index);
  }
  const bool is_good = connection.status() / 100 == 2;
  End(slot.request, is_good ? Failure::kNone : Failure::kHttp, "", connection.status(), now_ns);
  if (!connection.is_reusable()) return Close(index);
  slot.state = State::kIdle;
  idle_.push_back(index);
}

// Nobody knows for which request it was opened: the one that has waited longest fails.
void Generator::FailConnecting(const Connection& connection) {
  if (next_ == taken_) return;
  End(next_++, Failure::kRefused, connection.what(), connection.error_number(), NowNs());
}

void Generator::End(size_t request, Failure failure, const char* what, int code, int64_t now_ns) {
  Outcome& outcome = outcomes_[request];
  outcome.failure = failure;
  outcome.what = what;
  outcome.code = code;
  outcome.ended_ns = now_ns;
  ++ended_;
}

// Requests are taken up in order, so their time runs out in order.
void Generator::Expire(int64_t now_ns) {
  for (; oldest_ < taken_; ++oldest_) {
    const Outcome& outcome = outcomes_[oldest_];
    if (outcome.has_ended()) continue;
    if (outcome.taken_ns + settings_.timeout_ns > now_ns) return;
    const bool is_waiting = oldest_ == next_;
    if (is_waiting) ++next_;
    End(oldest_, Failure::kTimeout, is_waiting ? "no connection in time" : "no reply in time", 0,
        now_ns);
    if (!is_waiting) Close(static_cast<SlotIndex>(outcome.connection));
  }
}

}  // namespace tare::load
