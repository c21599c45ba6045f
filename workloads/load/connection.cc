#include "workloads/load/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>

namespace tare::load {

Connection::Progress Connection::Open(const Address& address) {
  const int family = address.socket_address.ss_family;
  fd_ = UniqueFd(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd_.is_open()) return Fail("no socket", errno);
  filled_ = 0;
  if (family != AF_UNIX) {
    const int on = 1;
    setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  const auto* const name = reinterpret_cast<const sockaddr*>(&address.socket_address);
  if (connect(fd_.get(), name, address.length) == 0) return Progress::kDone;
  return errno == EINPROGRESS ? Progress::kPending : Fail("no connection", errno);
}

Connection::Progress Connection::FinishOpen() {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error == 0 ? Progress::kDone : Fail("no connection", error);
}

void Connection::Close() { fd_.Reset(); }

Connection::Progress Connection::Send(const std::string& message, bool is_head) {
  message_ = &message;
  sent_ = 0;
  reply_.Start(is_head);
  return SendMore();
}

Connection::Progress Connection::SendMore() {
  const ssize_t count =
      send(fd_.get(), message_->data() + sent_, message_->size() - sent_, MSG_NOSIGNAL);
  if (count >= 0) {
    sent_ += static_cast<size_t>(count);
  } else if (errno != EAGAIN && errno != EINTR) {
    return Fail("the request could not be sent", errno);
  }
  return sent_ == message_->size() ? Progress::kDone : Progress::kPending;
}

Connection::Progress Connection::Receive() {
  const ssize_t count = recv(fd_.get(), buffer_.data() + filled_, buffer_.size() - filled_, 0);
  if (count > 0) {
    filled_ += static_cast<size_t>(count);
    return Parse();
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Progress::kPending;
  if (count < 0) return Fail("the connection broke", errno);
  is_reusable_ = false;
  if (filled_ == 0 && reply_.PutEnd() == Reply::State::kComplete) return Progress::kDone;
  return Fail(filled_ == 0 ? reply_.what() : "the server closed within a reply", 0);
}

Connection::Progress Connection::Parse() {
  size_t used = 0;
  const Reply::State state = reply_.Put(buffer_.data(), filled_, &used);
  filled_ -= used;
  if (used > 0 && filled_ > 0) std::memmove(buffer_.data(), buffer_.data() + used, filled_);
  if (state == Reply::State::kBroken) return Fail(reply_.what(), 0);
  if (state == Reply::State::kComplete) {
    // What follows a reply that nothing else was asked after belongs to no request; neither may one
    // follow a request that was answered before it was sent.
    is_reusable_ = reply_.is_keep_alive() && filled_ == 0 && sent_ == message_->size();
    return Progress::kDone;
  }
  if (filled_ == buffer_.size()) return Fail("the reply has a part longer than 16 KiB", 0);
  return Progress::kPending;
}

bool Connection::IsDisturbed() {
  char byte = 0;
  return recv(fd_.get(), &byte, 1, MSG_PEEK) >= 0 || errno != EAGAIN;
}

Connection::Progress Connection::Fail(const char* what, int error_number) {
  what_ = what;
  error_number_ = error_number;
  return Progress::kFailed;
}

}  // namespace tare::load
