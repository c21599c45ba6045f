#include "workloads/loan/server.h"

#include <signal.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tare::loan {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr uint32_t kHeaderBytesMax = 8 << 10;
constexpr uint64_t kBodyBytesMax = 64 << 10;  // of a request: read, and of no use
// For answers to what had arrived when the end was asked for.
constexpr std::chrono::seconds kLastAnswersTimeMax{1};
// Until descriptors may be free again.
constexpr std::chrono::milliseconds kAcceptAgain{10};

class Connection;

// One thread's share of the work.
struct Lane {
  Lane(Version version, Metrics* metrics) : desk(version, metrics) {}

  Desk desk;
  std::set<Connection*> connections;
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
};

// Keeps itself alive while it waits for something. Runs in its lane's thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Lane* lane) : socket_(std::move(socket)), lane_(lane) {
    lane_->connections.insert(this);
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { lane_->connections.erase(this); }

  void Read() {
    parser_.emplace();
    parser_->header_limit(kHeaderBytesMax);
    parser_->body_limit(kBodyBytesMax);
    http::async_read(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, size_t) { self->HandleRead(error); });
  }

  // Ends it, after the answer to what has arrived.
  void Stop() {
    is_stopping_ = true;
    error_code error;
    const bool is_asked = buffer_.size() > 0 || socket_.available(error) > 0;
    if (!is_writing_ && !is_asked) Close();
  }

 private:
  void HandleRead(error_code error) {
    if (!error) return Respond();
    if (error == http::error::end_of_stream ||
        error.category() != error_code(http::error::end_of_stream).category()) {
      return Close();
    }
    Write(Refuse(400, "this is not HTTP/1.1 as it is understood here"), /*keeps_alive=*/false);
  }

  void Respond() {
    const auto& request = parser_->get();
    const bool keeps_alive = request.keep_alive() && !is_stopping_;
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return Write(Refuse(405, "ask with GET or HEAD"), keeps_alive);
    }
    Write(lane_->desk.Get(std::string(request.target())), keeps_alive);
  }

  void Write(Answer answer, bool keeps_alive) {
    response_ = {};
    response_.version(parser_->get().version() == 10 ? 10 : 11);
    response_.result(answer.status);
    response_.set(http::field::content_type, "application/json");
    if (answer.status == 405) response_.set(http::field::allow, "GET, HEAD");
    response_.keep_alive(keeps_alive);
    response_.body() = std::move(answer.body);
    response_.prepare_payload();
    serializer_.emplace(response_);
    is_writing_ = true;
    auto on_written = [self = shared_from_this(), keeps_alive](error_code error, size_t) {
      self->is_writing_ = false;
      if (error || !keeps_alive || self->is_stopping_) return self->Close();
      self->Read();
    };
    if (parser_->get().method() == http::verb::head) {
      http::async_write_header(socket_, *serializer_, std::move(on_written));
    } else {
      http::async_write(socket_, *serializer_, std::move(on_written));
    }
  }

  void Close() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  tcp::socket socket_;
  Lane* const lane_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  bool is_writing_ = false;
  bool is_stopping_ = false;
};

class Server {
 public:
  std::optional<Failure> Start(const ServerOptions& options);
  uint16_t port() const { return port_; }
  // Blocks until a signal asks for the end.
  void Run();

 private:
  std::optional<Failure> Listen(uint16_t port);
  void Accept();
  void HandleAccept(error_code error, tcp::socket socket, Lane* lane);
  void Stop();

  Metrics metrics_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  // Those of the first lane's loop.
  std::optional<tcp::acceptor> acceptor_;
  std::optional<asio::steady_timer> accept_again_;
  std::optional<asio::signal_set> signals_;
  size_t next_lane_ = 0;
  uint16_t port_ = 0;
};

std::optional<Failure> Server::Start(const ServerOptions& options) {
  for (int i = 0; i < options.threads_count; ++i) {
    lanes_.push_back(std::make_unique<Lane>(options.version, &metrics_));
  }
  accept_again_.emplace(lanes_[0]->context);
  error_code error;
  signals_.emplace(lanes_[0]->context);
  for (const int number : {SIGTERM, SIGINT}) signals_->add(number, error);
  signals_->async_wait([this](error_code cancelled, int) {
    if (!cancelled) Stop();
  });
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (auto failure = lane->desk.Fill(options.size)) return failure;
  }
  if (auto failure = Listen(options.port)) return failure;
  Accept();
  return std::nullopt;
}

std::optional<Failure> Server::Listen(uint16_t port) {
  acceptor_.emplace(lanes_[0]->context);
  error_code error;
  acceptor_->open(tcp::v4(), error);
  if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_->bind({asio::ip::address_v4::loopback(), port}, error);
  if (!error) acceptor_->listen(asio::socket_base::max_listen_connections, error);
  if (!error) port_ = acceptor_->local_endpoint(error).port();
  if (!error) return std::nullopt;
  return Failure{"cannot listen on 127.0.0.1:" + std::to_string(port), error.message(),
                 "--port 0, which takes a free one"};
}

void Server::Accept() {
  Lane* lane = lanes_[next_lane_].get();
  next_lane_ = (next_lane_ + 1) % lanes_.size();
  acceptor_->async_accept(lane->context, [this, lane](error_code error, tcp::socket socket) {
    HandleAccept(error, std::move(socket), lane);
  });
}

void Server::HandleAccept(error_code error, tcp::socket socket, Lane* lane) {
  if (!acceptor_->is_open()) return;
  if (error) {  // no descriptor is free, or the client has left again
    accept_again_->expires_after(kAcceptAgain);
    accept_again_->async_wait([this](error_code cancelled) {
      if (!cancelled && acceptor_->is_open()) Accept();
    });
    return;
  }
  asio::post(lane->context, [lane, socket = std::move(socket)]() mutable {
    std::make_shared<Connection>(std::move(socket), lane)->Read();
  });
  Accept();
}

void Server::Stop() {
  error_code ignored;
  acceptor_->close(ignored);
  accept_again_->cancel();
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    asio::post(lane->context, [lane = lane.get()] {
      for (Connection* connection : lane->connections) connection->Stop();
      lane->work.reset();
      lane->context.stop();
    });
  }
}

// The first run() ends when Stop() says so, the second when nothing is left to answer.
void RunLane(Lane* lane) {
  lane->context.run();
  lane->context.restart();
  lane->context.run_for(kLastAnswersTimeMax);
}

void Server::Run() {
  std::vector<std::thread> threads;
  for (size_t i = 1; i < lanes_.size(); ++i) threads.emplace_back(RunLane, lanes_[i].get());
  RunLane(lanes_[0].get());
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

std::optional<Failure> Serve(const ServerOptions& options,
                             const std::function<void(uint16_t port)>& on_listening) {
  Server server;
  if (auto failure = server.Start(options)) return failure;
  on_listening(server.port());
  server.Run();
  return std::nullopt;
}

}  // namespace tare::loan
