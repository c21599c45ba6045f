// tare-loan as a process: HTTP, its options, its end.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "agent/launch/process.h"
#include "base/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr absl::Duration kEndTimeMax = absl::Seconds(10);

std::unique_ptr<Process> StartLoan(const std::vector<std::string>& arguments) {
  UseBuiltPrograms();
  LaunchOptions options;
  options.command = {FindProgram("tare-loan").value()};
  options.command.insert(options.command.end(), arguments.begin(), arguments.end());
  return Launch(options).value();
}

int PortOf(Process& process) {
  EXPECT_TRUE(WaitForOutput(process, "\n"));
  const std::string line = process.LogTail();
  int port = 0;
  EXPECT_TRUE(absl::SimpleAtoi(line.substr(line.rfind(':') + 1), &port)) << line;
  return port;
}

// A connection that is kept.
class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }

  void Send(const std::string& bytes) {
    EXPECT_EQ(send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  // Head and body of the next answer; of one to HEAD the head alone.
  std::string Receive(bool is_head_only = false) {
    while (received_.find("\r\n\r\n") == std::string::npos && ReceiveMore()) {
    }
    size_t end = received_.find("\r\n\r\n");
    if (end == std::string::npos) return std::exchange(received_, "");
    end += 4;
    if (!is_head_only) {
      const std::vector<std::string> parts = absl::StrSplit(received_, "Content-Length: ");
      size_t length = 0;
      EXPECT_TRUE(absl::SimpleAtoi(parts.at(1).substr(0, parts[1].find('\r')), &length));
      end += length;
    }
    while (received_.size() < end && ReceiveMore()) {
    }
    const std::string answer = received_.substr(0, end);
    received_.erase(0, end);
    return answer;
  }

  std::string Get(const std::string& target) {
    Send(absl::StrCat("GET ", target, " HTTP/1.1\r\nHost: l\r\n\r\n"));
    return Receive();
  }

 private:
  bool ReceiveMore() {
    char bytes[4096];
    const ssize_t count = recv(socket_.get(), bytes, sizeof bytes, 0);
    if (count > 0) received_.append(bytes, static_cast<size_t>(count));
    return count > 0;
  }

  UniqueFd socket_;
  std::string received_;
};

TEST(TareLoan, AnswersManyRequestsOnOneConnection) {
  auto process = StartLoan({"--loans", "500", "--members", "5", "--version", "b"});
  const int port = PortOf(*process);
  EXPECT_EQ(process->LogTail(), absl::StrCat("listening on 127.0.0.1:", port, "\n"));
  Client client(port);
  EXPECT_THAT(client.Get("/health"), StartsWith("HTTP/1.1 200 OK\r\n"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(client.Get("/loan?member=U-4"), HasSubstr("{\"member\":\"U-4\",\"loan\":100,"));
  }
  EXPECT_THAT(client.Get("/loan?member=U-5"), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_THAT(client.Get("/metrics"), HasSubstr("{\"requests\":5,\"queries\":10}"));
}

TEST(TareLoan, CountsOverAllItsThreads) {
  auto process = StartLoan({"--loans", "500", "--members", "5", "--threads", "3"});
  const int port = PortOf(*process);
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(Client(port).Get("/loan?member=U-0"), HasSubstr("\"loan\":100"));
  }
  EXPECT_THAT(Client(port).Get("/metrics"), HasSubstr("{\"requests\":4,\"queries\":8}"));
}

TEST(TareLoan, AnswersHeadWithoutABody) {
  auto process = StartLoan({"--loans", "10", "--members", "5"});
  Client client(PortOf(*process));
  client.Send("HEAD /loan?member=U-1 HTTP/1.1\r\nHost: l\r\n\r\n");
  const std::string head = client.Receive(/*is_head_only=*/true);
  EXPECT_THAT(head, HasSubstr("Content-Length: "));
  const std::string both = client.Get("/loan?member=U-1");
  EXPECT_THAT(both, StartsWith(head));
  EXPECT_GT(both.size(), head.size());
}

TEST(TareLoan, RefusesOtherMethodsAndWhatIsNotHttp) {
  auto process = StartLoan({"--loans", "10", "--members", "5"});
  const int port = PortOf(*process);
  Client client(port);
  client.Send("POST /loan HTTP/1.1\r\nHost: l\r\nContent-Length: 3\r\n\r\nabc");
  const std::string refused = client.Receive();
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
  EXPECT_THAT(refused, HasSubstr("Allow: GET, HEAD\r\n"));
  EXPECT_THAT(client.Get("/health"), StartsWith("HTTP/1.1 200 OK\r\n"));
  Client stranger(port);
  stranger.Send("hello\r\n\r\n");
  EXPECT_THAT(stranger.Receive(), StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_EQ(stranger.Receive(), "");  // and it has hung up
}

TEST(TareLoan, ClosesWhenTheClientWantsIt) {
  auto process = StartLoan({"--loans", "10", "--members", "5"});
  Client client(PortOf(*process));
  client.Send("GET /health HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.0 200 OK\r\n"));
  EXPECT_EQ(client.Receive(), "");
}

TEST(TareLoan, EndsAtOnceWhenAskedTo) {
  auto process = StartLoan({"--loans", "10", "--members", "5", "--threads", "2"});
  const int port = PortOf(*process);
  Client idle(port);
  EXPECT_THAT(idle.Get("/health"), HasSubstr("200 OK"));
  Client other(port);
  EXPECT_THAT(other.Get("/health"), HasSubstr("200 OK"));
  kill(process->pid(), SIGTERM);
  EXPECT_EQ(process->Wait(kEndTimeMax).value().code, 0);
  EXPECT_EQ(idle.Receive(), "");
}

// It is stopped (SIGSTOP) while requests arrive, so that they and the SIGTERM wait for it together.
TEST(TareLoan, AnswersWhatHasArrivedBeforeItEnds) {
  auto process = StartLoan({"--loans", "10", "--members", "5"});
  Client client(PortOf(*process));
  EXPECT_THAT(client.Get("/health"), HasSubstr("200 OK"));
  kill(process->pid(), SIGSTOP);
  client.Send("GET /loan?member=U-1 HTTP/1.1\r\nHost: l\r\n\r\n");
  kill(process->pid(), SIGTERM);
  kill(process->pid(), SIGCONT);
  EXPECT_THAT(client.Receive(), HasSubstr("\"member\":\"U-1\""));
  EXPECT_EQ(process->Wait(kEndTimeMax).value().code, 0);
}

TEST(TareLoan, SaysThatItsPortIsTaken) {
  auto first = StartLoan({"--loans", "10"});
  const int port = PortOf(*first);
  auto second = StartLoan({"--loans", "10", "--port", absl::StrCat(port)});
  EXPECT_EQ(second->Wait(kEndTimeMax).value().code, 69);
  EXPECT_EQ(second->LogTail(), absl::StrCat("tare-loan: cannot listen on 127.0.0.1:", port,
                                            "\n  detail: Address already in use\n"
                                            "  try: --port 0, which takes a free one\n"));
}

TEST(TareLoan, RefusesArgumentsThatItCannotUse) {
  const std::vector<std::vector<std::string>> refused = {
      {"--port", "65536"}, {"--port", "-1"},   {"--version", "c"}, {"--loans", "0"},
      {"--members", "x"},  {"--threads", "0"}, {"--bogus"},        {"extra"}};
  for (const std::vector<std::string>& arguments : refused) {
    auto process = StartLoan(arguments);
    EXPECT_EQ(process->Wait(kEndTimeMax).value().code, 64) << arguments[0];
    EXPECT_THAT(process->LogTail(), Not(HasSubstr("listening"))) << arguments[0];
  }
}

}  // namespace
}  // namespace tare::agent
