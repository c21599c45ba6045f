// One connection to the server, non-blocking, for one request after the other.
//
// Does not wait and does not read the clock: the generator polls its descriptor and tells it what
// happened. Not thread-safe; allocates only when it is made.

#ifndef TARE_WORKLOADS_LOAD_CONNECTION_H_
#define TARE_WORKLOADS_LOAD_CONNECTION_H_

#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "workloads/load/address.h"
#include "workloads/load/reply.h"

namespace tare::load {

class Connection {
 public:
  // What is read at once, and more than a reply's head may have.
  static constexpr size_t kBufferBytes = 16'384;
  static_assert(kBufferBytes > Reply::kHeadBytesMax);

  // Appends the bodies of replies to `body`, if there is one.
  explicit Connection(std::string* body = nullptr) : reply_(body), buffer_(kBufferBytes) {}

  int fd() const { return fd_.get(); }
  bool is_open() const { return fd_.is_open(); }

  enum class Progress { kPending, kDone, kFailed };

  // Begins to connect. Requires: closed.
  Progress Open(const Address& address);
  // The descriptor became writable: is the connection made?
  Progress FinishOpen();
  void Close();

  // Begins to send `message`, which stays until it is sent. kDone: all of it is.
  // Requires: connected, and no reply is outstanding.
  Progress Send(const std::string& message, bool is_head);
  // Goes on sending when the descriptor became writable.
  Progress SendMore();

  // Reads once. kDone: the reply is complete.
  Progress Receive();
  int status() const { return reply_.status(); }
  // Whether another request may follow.
  bool is_reusable() const { return is_reusable_; }

  // Whether the server said anything, or closed, while nothing was asked.
  bool IsDisturbed();

  // Of kFailed: what, and the errno or 0.
  const char* what() const { return what_; }
  int error_number() const { return error_number_; }

 private:
  Progress Fail(const char* what, int error_number);
  Progress Parse();

  UniqueFd fd_;
  Reply reply_;
  std::vector<char> buffer_;
  size_t filled_ = 0;
  const std::string* message_ = nullptr;
  size_t sent_ = 0;
  bool is_reusable_ = false;
  const char* what_ = "";
  int error_number_ = 0;
};

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_CONNECTION_H_
