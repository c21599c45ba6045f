// An HTTP/1.1 server on loopback that answers as a test says, good or bad.
//
// A thread of its own for each connection; they end with it. The handler is called from these.

#ifndef TARE_TESTS_LOAD_HTTP_SERVER_H_
#define TARE_TESTS_LOAD_HTTP_SERVER_H_

#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/unique_fd.h"

namespace tare::load {

struct Answer {
  std::vector<std::string> pieces;  // sent one after the other, `pause` before each
  absl::Duration pause = absl::ZeroDuration();
  bool closes = false;  // the connection, after the last piece
};

// A reply that has a length and stays open.
Answer Reply200(const std::string& body = "ok");
Answer ReplyStatus(int status);

class HttpServer {
 public:
  // The number of the request, from 0, and its bytes.
  using Handler = std::function<Answer(int number, const std::string& request)>;

  explicit HttpServer(Handler handler);
  ~HttpServer();

  const std::string& address() const { return address_; }
  // What was asked so far, in the order of arrival.
  std::vector<std::string> requests() const;
  int connections() const;

 private:
  void Accept();
  void Serve(const UniqueFd& client);

  Handler handler_;
  std::string address_;
  UniqueFd listener_;
  mutable absl::Mutex mutex_;
  std::vector<std::string> requests_ ABSL_GUARDED_BY(mutex_);
  std::deque<UniqueFd> clients_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
  std::thread accepting_;
};

}  // namespace tare::load

#endif  // TARE_TESTS_LOAD_HTTP_SERVER_H_
