// The service 'server' with real processes: tare-loan, Python and shell programs.

#include "agent/services/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "agent/services/port.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

constexpr char kPython[] = "/usr/bin/python3";

v1::Service Asked(const std::vector<std::string>& command) {
  UseBuiltPrograms();
  v1::Service service;
  service.set_name("web");
  v1::Server* server = service.mutable_server();
  server->mutable_command()->Assign(command.begin(), command.end());
  server->mutable_ready()->set_timeout_ns(10'000'000'000);
  server->set_stop_timeout_ns(5'000'000'000);
  return service;
}

v1::Service Shell(const std::string& script) { return Asked({"/bin/sh", "-c", script}); }

v1::Service Loan() {
  v1::Service service = Asked({"tare-loan", "--loans", "10", "--port", "{port}"});
  service.mutable_server()->mutable_ready()->set_http("/health");
  return service;
}

absl::StatusOr<std::unique_ptr<Service>> Start(const v1::Service& service) {
  return StartService(service, {.directory = "/tmp", .cpus = {0}});
}

// A server of Python whose answers are `statuses`, the last of them for ever. `setup` runs before
// it listens.
v1::Service Python(const std::string& setup, const std::string& statuses) {
  v1::Service service = Asked(
      {kPython, "-c",
       absl::StrCat("import http.server, os, signal, sys, time\n", setup, "\nleft = [", statuses,
                    "]\n"
                    "class Answer(http.server.BaseHTTPRequestHandler):\n"
                    "  def do_GET(self):\n"
                    "    self.send_response(left[0] if len(left) == 1 else left.pop(0))\n"
                    "    self.end_headers()\n"
                    "http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Answer)"
                    ".serve_forever()\n"),
       "{port}"});
  service.mutable_server()->mutable_ready()->set_http("/");
  return service;
}

TEST(Server, IsReadyWhenItsPathAnswers) {
  auto service = Start(Loan()).value();
  EXPECT_THAT(service->address(), MatchesRegex("127.0.0.1:[0-9]+"));
  const v1::ServiceRecord record = service->Describe().value();
  EXPECT_EQ(record.name(), "web");
  EXPECT_EQ(record.kind(), "server");
  EXPECT_EQ(record.version(), "");
  EXPECT_EQ(record.endpoint(), service->address());
  EXPECT_TRUE(record.is_private());
  EXPECT_EQ(service->CheckRunning(), absl::OkStatus());
  ASSERT_EQ(service->ServingPids().size(), 1u);
  EXPECT_THAT(ReadFile(absl::StrCat("/proc/", service->ServingPids()[0], "/status")).value(),
              HasSubstr("Cpus_allowed_list:\t0\n"));
  const Watched program(service->ServingPids()[0]);
  service.reset();
  EXPECT_TRUE(program.WaitForEnd());
}

TEST(Server, SaysInTheEndWhatItWasAndUsed) {
  auto service = Start(Loan()).value();
  const std::string address = service->address();
  const v1::Process process = service->Finish().value();
  EXPECT_EQ(process.role(), "web");
  EXPECT_THAT(process.command(), ElementsAre("tare-loan", "--loans", "10", "--port", "{port}"));
  EXPECT_THAT(process.program_path(), EndsWith("/tare-loan"));
  EXPECT_EQ(process.program_sha256().size(), 64u);
  EXPECT_GT(process.libraries_size(), 0);
  EXPECT_EQ(process.exit_code(), 0);
  EXPECT_FALSE(process.has_exit_signal());
  EXPECT_GT(process.user_ns() + process.system_ns(), 0);
  EXPECT_GT(process.memory_peak_bytes(), 0);
  EXPECT_TRUE(process.has_storage_read_bytes());
  EXPECT_TRUE(process.has_storage_written_bytes());
  EXPECT_EQ(process.leftovers_count(), 0);
  EXPECT_EQ(process.log_tail(), absl::StrCat("listening on ", address, "\n"));
  EXPECT_TRUE(service->ServingPids().empty());
}

TEST(Server, IsReadyWhenItSaysSo) {
  v1::Service asked = Loan();
  asked.mutable_server()->mutable_ready()->clear_http();
  asked.mutable_server()->mutable_ready()->set_line("listening on 127");
  EXPECT_EQ(Start(asked).status(), absl::OkStatus());
}

TEST(Server, IsReadyWhenItAcceptsUnlessToldOtherwise) {
  v1::Service asked = Loan();
  asked.mutable_server()->mutable_ready()->clear_http();
  EXPECT_EQ(Start(asked).status(), absl::OkStatus());
}

TEST(Server, IsNotReadyBeforeA2xx) {
  auto service = Start(Python("", "503, 500, 404, 204")).value();
  const std::string log = service->Finish()->log_tail();
  for (const char* status : {" 503 ", " 500 ", " 404 ", " 204 "}) {
    EXPECT_THAT(log, HasSubstr(absl::StrCat("\"GET / HTTP/1.1\"", status)));
  }
}

TEST(Server, IsWaitedForNoLongerThanAsked) {
  v1::Service asked = Shell("echo loading; exec sleep 1000");
  v1::Readiness* ready = asked.mutable_server()->mutable_ready();
  ready->set_timeout_ns(300'000'000);
  const absl::Status refused = Start(asked).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(PartsOf(refused).what, "service 'web': the server was not ready within 300ms");
  EXPECT_THAT(PartsOf(refused).detail,
              MatchesRegex("port [0-9]+ took no connection; it wrote: loading"));
  EXPECT_EQ(PartsOf(refused).action, "look at 'ready', or give it a longer 'timeout'");
  ready->set_line("ready");
  EXPECT_EQ(PartsOf(Start(asked).status()).detail,
            "no line with 'ready' was written; it wrote: loading");
  ready->clear_line();
  ready->set_http("/up");
  EXPECT_EQ(PartsOf(Start(asked).status()).detail, "GET /up was not answered; it wrote: loading");
}

TEST(Server, TellsWhatItAnsweredInsteadOf2xx) {
  v1::Service asked = Loan();
  asked.mutable_server()->mutable_ready()->set_http("/up");
  asked.mutable_server()->mutable_ready()->set_timeout_ns(300'000'000);
  EXPECT_THAT(PartsOf(Start(asked).status()).detail,
              MatchesRegex("GET /up was answered 'HTTP/1.1 404 Not Found'; "
                           "it wrote: listening on 127.0.0.1:[0-9]+"));
}

TEST(Server, ThatEndsBeforeItIsReadyIsNoticedAtOnce) {
  const absl::Status status = Start(Shell("echo no config >&2; exit 3")).status();
  EXPECT_EQ(
      FormatError(status),
      "service 'web': the server exited with code 3 before it was ready\n  detail: no config");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

TEST(Server, ThatEndsLaterIsNoticedWhenAsked) {
  auto service = Start(Loan()).value();
  const Watched program(service->ServingPids()[0]);
  kill(service->ServingPids()[0], SIGKILL);
  ASSERT_TRUE(program.WaitForEnd());
  absl::Status status;
  while (status.ok()) status = service->CheckRunning();  // its warden is told a moment later
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(PartsOf(status).what, "service 'web' was ended by signal 9");
  EXPECT_EQ(PartsOf(status).detail, absl::StrCat("listening on ", service->address()));
  EXPECT_EQ(service->Finish()->exit_signal(), 9);
  EXPECT_FALSE(service->Finish()->has_storage_read_bytes());
}

// The child inherits the listening socket, leaves the session and outlives its parent.
TEST(Server, IsRidOfAChildThatKeepsItsPort) {
  v1::Service asked = Asked({kPython, "-c",
                             "import os, socket, sys, time\n"
                             "s = socket.socket()\n"
                             "s.bind(('127.0.0.1', int(sys.argv[1])))\n"
                             "s.listen()\n"
                             "if os.fork() == 0:\n"
                             "  os.setsid()\n"
                             "  print('left', flush=True)\n"
                             "time.sleep(1000)\n",
                             "{port}"});
  asked.mutable_server()->mutable_ready()->set_line("left");
  auto service = Start(asked).value();
  std::vector<pid_t> pids = service->ServingPids();
  while (pids.size() < 2) pids = service->ServingPids();
  const Watched child(pids[1]);
  EXPECT_EQ(service->Finish()->leftovers_count(), 1);
  EXPECT_TRUE(child.WaitForEnd());
  int port = 0;
  ASSERT_TRUE(absl::SimpleAtoi(service->address().substr(10), &port));
  EXPECT_FALSE(ConnectTo(port).is_open());
}

TEST(Server, ThatIgnoresTheWishToStopIsKilled) {
  v1::Service asked = Python("signal.signal(signal.SIGTERM, signal.SIG_IGN)", "200");
  asked.mutable_server()->set_stop_timeout_ns(20'000'000);
  const v1::Process process = Start(asked).value()->Finish().value();
  EXPECT_EQ(process.exit_signal(), 9);
  EXPECT_FALSE(process.has_exit_code());
}

// A socket of this test process that listens on `port` of 127.0.0.1.
UniqueFd ListenOn(int port) {
  UniqueFd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(listener.get(), 8), 0);
  return listener;
}

// Takes the port that a server writes to `directory`/port, and then says so to it.
class PortThief {
 public:
  explicit PortThief(const std::string& directory)
      : thread_([this, directory] {
          const std::string file = directory + "/port";
          while (!ReadFile(file).ok()) Clock::Real()->Wait(absl::Milliseconds(1));
          EXPECT_TRUE(absl::SimpleAtoi(ReadFile(file).value(), &port_));
          listener_ = ListenOn(port_);
          EXPECT_EQ(WriteFile(directory + "/taken", ""), absl::OkStatus());
        }) {}
  ~PortThief() {
    if (thread_.joinable()) thread_.join();
  }
  int port() {
    if (thread_.joinable()) thread_.join();
    return port_;
  }

 private:
  int port_ = 0;
  UniqueFd listener_;
  std::thread thread_;
};

// A shell's words that give its port to a thief in `directory`, once.
std::string LosesItsPort(const std::string& directory) {
  return absl::StrCat("cd ", directory, "; if mkdir first; then echo {port} > new; mv new port; ",
                      "until test -e taken; do sleep 0.01; done; ");
}

TEST(Server, GetsAnotherPortWhenItsOwnIsTaken) {
  const ScratchDirectory scratch;
  PortThief thief(scratch.path());
  v1::Service asked = Shell(absl::StrCat(LosesItsPort(scratch.path()),
                                         "exit 1; fi; exec tare-loan --loans 10 --port {port}"));
  asked.mutable_server()->mutable_ready()->set_line("listening on");
  auto service = Start(asked);
  ASSERT_EQ(service.status(), absl::OkStatus());
  EXPECT_NE((*service)->address(), absl::StrCat("127.0.0.1:", thief.port()));
  EXPECT_THAT((*service)->Finish()->log_tail(), HasSubstr((*service)->address()));
}

TEST(Server, IsNotMeasuredWhenAnotherProcessHoldsItsPort) {
  const ScratchDirectory scratch;
  PortThief thief(scratch.path());
  const absl::Status status =
      Start(Shell(absl::StrCat(LosesItsPort(scratch.path()), "exec sleep 1000; fi"))).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(
      FormatError(status),
      absl::StrCat("service 'web': port ", thief.port(), " is not the server's\n  detail: pid ",
                   getpid(), " 'services_test' listens there, which the server did not ",
                   "start\n  try: let the server listen on the port that '{port}' gives it"));
}

TEST(Server, ThatListensElsewhereIsNotMeasured) {
  v1::Service asked = Shell("echo ready; exec sleep 1000");
  asked.mutable_server()->mutable_ready()->set_line("ready");
  const absl::Status status = Start(asked).status();
  EXPECT_THAT(PartsOf(status).what, MatchesRegex("service 'web': port [0-9]+ is not the server's"));
  EXPECT_EQ(PartsOf(status).detail, "nobody listens there");
}

TEST(Server, NeedsAProgram) {
  const absl::Status status = Start(Asked({"no-such-server"})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(PartsOf(status).what, "service 'web': program 'no-such-server' does not exist");
}

TEST(Server, GetsAddressesThatItsRecordDoesNotHold) {
  v1::Service asked = Loan();
  asked.mutable_server()->add_command("--version");
  asked.mutable_server()->add_command("{db}");
  auto service =
      StartService(asked, {.directory = "/tmp", .cpus = {}, .addresses = {{"db", "b"}}}).value();
  EXPECT_THAT(ReadFile(absl::StrCat("/proc/", service->ServingPids()[0], "/cmdline")).value(),
              EndsWith(std::string("--version\0b\0", 12)));
  EXPECT_THAT(service->Finish()->command(),
              ElementsAre("tare-loan", "--loans", "10", "--port", "{port}", "--version", "{db}"));
}

TEST(Server, RefusesPlacesThatItCannotFill) {
  const absl::Status status = Start(Shell("{prot}")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FormatError(status), "service 'web': '{prot}' is no service of the trial");
  EXPECT_THAT(FormatError(Start(Shell("{port")).status()), HasSubstr("a brace itself is {{ or }}"));
}

TEST(Server, GetsABraceForTwo) {
  v1::Service asked = Shell("echo '{{port}}'; exit 1");
  EXPECT_EQ(PartsOf(Start(asked).status()).detail, "{port}");
}

TEST(Port, BelongsToWhomeverListens) {
  const int port = FreePort().value();
  EXPECT_FALSE(ConnectTo(port).is_open());
  EXPECT_EQ(ListenerOf(port, {getpid()}), std::nullopt);
  const UniqueFd listener = ListenOn(port);
  EXPECT_TRUE(ConnectTo(port).is_open());
  EXPECT_EQ(ListenerOf(port, {getppid(), getpid()}), getpid());
  EXPECT_EQ(ListenerOf(port, {getppid()}), std::nullopt);
}

}  // namespace
}  // namespace tare::agent
