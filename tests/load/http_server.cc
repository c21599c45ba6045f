#include "tests/load/http_server.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "gtest/gtest.h"
#include "tests/proxy/sockets.h"

namespace tare::load {
namespace {

// How many bytes the first request in `received` has; 0 when it is not complete.
size_t RequestBytes(const std::string& received) {
  const size_t head = received.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  const std::string field = "Content-Length: ";
  const size_t at = received.find(field);
  int body = 0;
  if (at < head) {
    const size_t begin = at + field.size();
    EXPECT_TRUE(
        absl::SimpleAtoi(received.substr(begin, received.find('\r', begin) - begin), &body));
  }
  const size_t bytes = head + 4 + static_cast<size_t>(body);
  return received.size() >= bytes ? bytes : 0;
}

}  // namespace

Answer Reply200(const std::string& body) {
  return {{absl::StrCat("HTTP/1.1 200 OK\r\nContent-Length: ", body.size(), "\r\n\r\n", body)}};
}

Answer ReplyStatus(int status) {
  return {{absl::StrCat("HTTP/1.1 ", status, " Said so\r\nContent-Length: 0\r\n\r\n")}};
}

HttpServer::HttpServer(Handler handler)
    : handler_(std::move(handler)),
      listener_(ListenOnLoopback(&address_)),
      accepting_([this] { Accept(); }) {}

HttpServer::~HttpServer() {
  shutdown(listener_.get(), SHUT_RDWR);
  accepting_.join();
  std::vector<std::thread> threads;
  {
    absl::MutexLock lock(&mutex_);
    for (const UniqueFd& client : clients_) shutdown(client.get(), SHUT_RDWR);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

std::vector<std::string> HttpServer::requests() const {
  absl::MutexLock lock(&mutex_);
  return requests_;
}

int HttpServer::connections() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int>(threads_.size());
}

void HttpServer::Accept() {
  while (true) {
    UniqueFd accepted = AcceptFrom(listener_);
    if (!accepted.is_open()) return;
    absl::MutexLock lock(&mutex_);
    const UniqueFd& client = clients_.emplace_back(std::move(accepted));
    threads_.emplace_back([this, &client] {
      Serve(client);
      shutdown(client.get(), SHUT_RDWR);
    });
  }
}

void HttpServer::Serve(const UniqueFd& client) {
  std::string received;
  char buffer[4096];
  while (true) {
    const size_t bytes = RequestBytes(received);
    if (bytes == 0) {
      const ssize_t count = recv(client.get(), buffer, sizeof buffer, 0);
      if (count < 0 && errno == EINTR) continue;  // it was stopped, and goes on
      if (count <= 0) return;
      received.append(buffer, static_cast<size_t>(count));
      continue;
    }
    const std::string request = received.substr(0, bytes);
    received.erase(0, bytes);
    int number = 0;
    {
      absl::MutexLock lock(&mutex_);
      number = static_cast<int>(requests_.size());
      requests_.push_back(request);
    }
    const Answer answer = handler_(number, request);
    for (const std::string& piece : answer.pieces) {
      Clock::Real()->Wait(answer.pause);
      if (!SendAll(client, piece)) return;
    }
    if (answer.closes) return;
  }
}

}  // namespace tare::load
