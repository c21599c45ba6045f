#include "proxy/relay.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "base/random.h"
#include "base/status.h"

namespace tare::proxy {
namespace {

constexpr int kEventsMax = 64;
// Clients accepted before others are served again.
constexpr int kAcceptsMax = 16;
// When descriptors run out: until accepting is tried again.
constexpr int64_t kAcceptPauseNs = 50'000'000;
// When the books were being read: until an entry is tried again.
constexpr int64_t kSettlePauseNs = 1'000'000;
// What a sleep adds to the polling after it, as a part of its length.
constexpr int64_t kSleepPerPolling = 100;
// The last of it, shorter than one look at the sockets takes.
constexpr int64_t kLastLookNs = 1'000;
constexpr int64_t kSecondNs = 1'000'000'000;

// What epoll tells beside handles of connections, which are never so small.
constexpr uint64_t kListenerTag = 0;
constexpr uint64_t kStopTag = 1;
constexpr uint64_t kSideMask = 1;

// Connections by handle: the number of a slot and how often that slot was used before, so that a
// handle that outlives its connection finds nothing.
class Connections {
 public:
  // A slot for one more.
  uint64_t Reserve() {
    if (free_.empty()) {
      free_.push_back(slots_.size());
      slots_.emplace_back();
    }
    return HandleOf(free_.back());
  }
  void Put(std::unique_ptr<Connection> connection) {
    slots_[free_.back()].connection = std::move(connection);
    free_.pop_back();
  }
  Connection* Find(uint64_t handle) {
    const size_t index = IndexOf(handle);
    return HandleOf(index) == (handle & ~kSideMask) ? slots_[index].connection.get() : nullptr;
  }
  void Remove(uint64_t handle) {
    Slot& slot = slots_[IndexOf(handle)];
    slot.connection.reset();
    ++slot.uses;
    free_.push_back(IndexOf(handle));
  }
  bool empty() const { return free_.size() == slots_.size(); }
  std::vector<uint64_t> Handles() const {
    std::vector<uint64_t> handles;
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].connection != nullptr) handles.push_back(HandleOf(i));
    }
    return handles;
  }

 private:
  struct Slot {
    std::unique_ptr<Connection> connection;
    uint32_t uses = 1;
  };
  uint64_t HandleOf(size_t index) const {
    return uint64_t{slots_[index].uses} << 32 | static_cast<uint64_t>(index) << 1;
  }
  static size_t IndexOf(uint64_t handle) { return static_cast<uint32_t>(handle) >> 1; }

  std::vector<Slot> slots_;
  std::vector<size_t> free_;
};

class EpollRelay : public Relay {
 public:
  EpollRelay(const RelayOptions& options, UniqueFd listener)
      : options_(options),
        polling_ns_(absl::ToInt64Nanoseconds(options.polling)),
        listener_(std::move(listener)),
        epoll_(epoll_create1(EPOLL_CLOEXEC)),
        listening_on_(options.listen.is_unix() ? options.listen.text()
                                               : AddressOf(listener_.get(), /*is_peer=*/false)),
        profile_(options.profile) {
    context_.epoll = epoll_.get();
    context_.block = context_.pool.Take(BlockPool::kLargeBytes);
    context_.server = options.server;
    context_.limits = options.limits;
    context_.faults = options.faults;
    Watch(listener_.get(), kListenerTag);
    Watch(options.stop_fd, kStopTag);
  }

  const std::string& listening_on() const override { return listening_on_; }
  Ledger& ledger() override { return context_.ledger; }

  void SetProfile(std::shared_ptr<const Profile> profile) override {
    const std::lock_guard lock(profile_mutex_);
    profile_.swap(profile);  // the old one, perhaps long, is freed by the caller without the lock
  }
  std::shared_ptr<const Profile> profile() override {
    const std::lock_guard lock(profile_mutex_);
    return profile_;
  }

  void Run() override {
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    int64_t give_up_ns = kNeverNs;
    while (!is_stopping_ || (!connections_.empty() && NowNs() < give_up_ns)) {
      const int count = Wait(give_up_ns);
      for (int i = 0; i < count; ++i) {
        Handle(events_[static_cast<size_t>(i)]);
        WakeDue(NowNs());
      }
      WakeDue(NowNs());
      if (is_stopping_ && give_up_ns == kNeverNs) {
        give_up_ns = NowNs() + absl::ToInt64Nanoseconds(options_.drain);
        ForEach([](Connection& connection) { connection.Drain(); });
      }
      settle_again_ns_ = context_.ledger.Settle() ? kNeverNs : NowNs() + kSettlePauseNs;
    }
    ForEach([](Connection& connection) { connection.Abort("the proxy was stopped"); });
    context_.ledger.Settle();
  }

 private:
  void Watch(int fd, uint64_t tag) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.u64 = tag;
    epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
  }
  void Unwatch(int fd) { epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

  int Poll(int64_t timeout_ns) {
    const timespec timeout = {timeout_ns / kSecondNs, timeout_ns % kSecondNs};
    return epoll_pwait2(epoll_.get(), events_.data(), kEventsMax,
                        timeout_ns == kNeverNs ? nullptr : &timeout, nullptr);
  }

  // Until something happens or is due.
  int Wait(int64_t give_up_ns) {
    const int64_t release_ns = context_.timers.next_ns();
    const int64_t other_ns =
        std::min({context_.watches.next_ns(), accept_again_ns_, settle_again_ns_, give_up_ns});
    if (release_ns == kNeverNs && other_ns == kNeverNs) return Poll(kNeverNs);
    const int64_t begun_ns = NowNs();
    const int64_t left_ns = release_ns - begun_ns;
    const int64_t polling_ns = polling_ns_ + std::min(left_ns / kSleepPerPolling, polling_ns_);
    const int64_t sleep_ns = std::min(left_ns - polling_ns, other_ns - begun_ns);
    if (sleep_ns > 0) return Poll(sleep_ns);
    if (left_ns > polling_ns || left_ns <= 0) return Poll(0);
    return PollUntil(release_ns, begun_ns);
  }

  int PollUntil(int64_t release_ns, int64_t begun_ns) {
    int count = 0;
    int64_t now_ns = begun_ns;
    while (count == 0 && now_ns < release_ns) {
      if (release_ns - now_ns > kLastLookNs) count = Poll(0);
      now_ns = NowNs();
    }
    context_.ledger.polling_ns.Add(now_ns - begun_ns);
    return count;
  }

  void Handle(const epoll_event& event) {
    const uint64_t tag = event.data.u64;
    if (tag == kListenerTag) {
      AcceptWaiting();
    } else if (tag == kStopTag) {
      is_stopping_ = true;
      Unwatch(options_.stop_fd);
      StopAccepting();
    } else {
      With(tag, [&](Connection& connection) {
        connection.OnEvents(static_cast<Connection::Side>(tag & kSideMask), event.events);
      });
    }
  }

  // Does something with the connection, if it is still there, and forgets it once it is closed.
  template <typename Action>
  void With(uint64_t handle, Action action) {
    Connection* connection = connections_.Find(handle);
    if (connection == nullptr) return;
    action(*connection);
    if (connection->is_closed()) connections_.Remove(handle);
  }
  template <typename Action>
  void ForEach(Action action) {
    for (const uint64_t handle : connections_.Handles()) With(handle, action);
  }

  void WakeDue(int64_t now_ns) {
    for (Timers* timers : {&context_.timers, &context_.watches}) {
      while (const auto entry = timers->TakeDue(now_ns)) {
        With(entry->handle, [&](Connection& connection) { connection.OnWake(*entry, now_ns); });
      }
    }
    if (accept_again_ns_ > now_ns) return;
    accept_again_ns_ = kNeverNs;
    if (listener_.is_open()) Watch(listener_.get(), kListenerTag);
  }

  void AcceptWaiting() {
    for (int i = 0; i < kAcceptsMax && listener_.is_open(); ++i) {
      UniqueFd client(accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (client.is_open()) {
        Adopt(std::move(client));
      } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
        // The client waits in the kernel; trying at once would only burn time.
        Unwatch(listener_.get());
        accept_again_ns_ = NowNs() + kAcceptPauseNs;
        return;
      } else if (errno == EAGAIN) {
        return;
      }
    }
  }

  void Adopt(UniqueFd client) {
    const int on = 1;
    setsockopt(client.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto record = std::make_shared<ConnectionRecord>();
    record->number = ++connections_count_;
    record->client = AddressOf(client.get(), /*is_peer=*/true);
    record->opened_unix_ns = absl::GetCurrentTimeNanos();
    record->profile = profile();
    if (record->profile->asked.record() == v1::RECORDING_FULL) {
      record->traffic.to_server.recording = std::make_unique<DelayRecording>(&delays_left_);
      record->traffic.to_client.recording = std::make_unique<DelayRecording>(&delays_left_);
    }
    context_.ledger.Enter(record);
    const uint64_t seed = DeriveSeed(options_.seed, static_cast<uint64_t>(record->number));
    const uint64_t handle = connections_.Reserve();
    auto connection =
        std::make_unique<Connection>(std::move(client), std::move(record), handle, seed, &context_);
    if (!connection->is_closed()) connections_.Put(std::move(connection));
  }

  void StopAccepting() {
    listener_.Reset();
    if (options_.listen.is_unix()) options_.listen.RemoveFile();
    accept_again_ns_ = kNeverNs;
  }

  const RelayOptions options_;
  const int64_t polling_ns_;
  UniqueFd listener_;
  UniqueFd epoll_;
  const std::string listening_on_;
  std::array<epoll_event, kEventsMax> events_ = {};
  RelayContext context_;
  Connections connections_;
  int64_t connections_count_ = 0;
  size_t delays_left_ = DelayRecording::kDelaysMax;  // to record
  int64_t accept_again_ns_ = kNeverNs;
  int64_t settle_again_ns_ = kNeverNs;
  bool is_stopping_ = false;
  std::mutex profile_mutex_;
  std::shared_ptr<const Profile> profile_;  // guarded by profile_mutex_
};

// Sleeps of less than a millisecond need Linux 5.11, and a sandbox that lets the call pass.
absl::Status CheckKernel() {
  const UniqueFd epoll(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event;
  const timespec at_once = {0, 0};
  if (epoll_pwait2(epoll.get(), &event, 1, &at_once, nullptr) == 0) return absl::OkStatus();
  return ErrnoError(errno, "this system cannot wait for nanoseconds (epoll_pwait2)")
      .Try("use Linux 5.11 or later, outside of sandboxes that forbid the call");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Relay>> Relay::Start(const RelayOptions& options) {
  RETURN_IF_ERROR(CheckKernel());
  ASSIGN_OR_RETURN(UniqueFd listener, options.listen.Listen());
  return std::make_unique<EpollRelay>(options, std::move(listener));
}

}  // namespace tare::proxy
