// The service 'proxy' with the real tare-proxy, in front of a server that nobody connects to.

#include "agent/services/proxy.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "agent/services/proxy_control.h"
#include "base/files.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

using testing::HasSubstr;

// A server as the proxy sees it: an address.
class Behind : public Service {
 public:
  explicit Behind(std::string address) : address_(std::move(address)) {}
  const std::string& address() const override { return address_; }
  std::vector<std::string> secrets() const override { return {"s3cret"}; }
  absl::StatusOr<v1::ServiceRecord> Describe() override { return v1::ServiceRecord(); }
  std::vector<pid_t> ServingPids() override { return {}; }
  absl::Status CheckRunning() override { return absl::OkStatus(); }

 private:
  const std::string address_;
};

v1::Service Asked() {
  UseBuiltPrograms();
  v1::Service service;
  service.set_name("wire");
  service.mutable_proxy()->set_to("db");
  return service;
}

absl::StatusOr<std::unique_ptr<Service>> StartBefore(const v1::Service& service,
                                                     const std::string& address) {
  const Behind behind(address);
  return StartService(service, {.directory = "/tmp", .cpus = {0}, .behind = &behind, .seed = 7});
}

TEST(ProxyArguments, SayAllThatTheExperimentAsks) {
  v1::Proxy proxy;
  proxy.set_to("db");
  EXPECT_EQ(absl::StrJoin(ProxyArguments(proxy, "h:1", "unix:/c", 9), " "),
            "--listen 127.0.0.1:0 --to h:1 --control unix:/c --seed 9");
  proxy.set_law(v1::DELAY_LAW_UNIFORM);
  proxy.set_delay_ns(1'500'000);
  proxy.set_spread_ns(50'000);
  proxy.set_direction(v1::DIRECTION_TO_CLIENT);
  proxy.set_bytes_per_second(5000);
  proxy.set_record(v1::RECORDING_FULL);
  proxy.set_trace("/delays");
  EXPECT_EQ(absl::StrJoin(ProxyArguments(proxy, "h:1", "unix:/c", 9), " "),
            "--listen 127.0.0.1:0 --to h:1 --control unix:/c --seed 9 --law uniform "
            "--delay 1500us --spread 50us --trace /delays --direction to-client "
            "--bytes-per-second 5000 --record full");
}

TEST(Proxy, GivesTheAddressOfTheServerByWayOfItself) {
  auto service = StartBefore(Asked(), "host=127.0.0.1 port=1 user=u password=s3cret").value();
  EXPECT_THAT(service->address(),
              testing::MatchesRegex("password='s3cret' user='u' host='127.0.0.1' "
                                    "hostaddr='127.0.0.1' port='[0-9]+' "));
  EXPECT_EQ(service->secrets(), std::vector<std::string>{"s3cret"});
  const v1::ServiceRecord record = service->Describe().value();
  EXPECT_EQ(record.name(), "wire");
  EXPECT_EQ(record.kind(), "proxy");
  EXPECT_THAT(record.version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+.*"));
  EXPECT_THAT(service->address(), HasSubstr(absl::StrCat("'", record.endpoint().substr(10), "'")));
  EXPECT_THAT(record.endpoint(), testing::StartsWith("127.0.0.1:"));
  ASSERT_EQ(service->ServingPids().size(), 1u);
  EXPECT_THAT(ReadFile(absl::StrCat("/proc/", service->ServingPids()[0], "/status")).value(),
              HasSubstr("Cpus_allowed_list:\t0\n"));
  EXPECT_EQ(service->CheckRunning(), absl::OkStatus());
  ASSERT_NE(service->proxy(), nullptr);
  EXPECT_EQ(service->proxy()->Counters().value().turns(), 0);
  const Watched program(service->ServingPids()[0]);
  service.reset();
  EXPECT_TRUE(program.WaitForEnd());
}

TEST(Proxy, GivesAPlainAddressInFrontOfAPlainOne) {
  auto service = StartBefore(Asked(), "127.0.0.1:1").value();
  EXPECT_EQ(service->address(), service->Describe()->endpoint());
  EXPECT_THAT(service->address(), testing::MatchesRegex("127.0.0.1:[0-9]+"));
}

TEST(Proxy, PassesOnWhyItWouldNotStart) {
  v1::Service asked = Asked();
  asked.mutable_proxy()->set_law(v1::DELAY_LAW_TRACE);
  asked.mutable_proxy()->set_trace("/no/such/trace");
  const absl::Status status = StartBefore(asked, "host=127.0.0.1").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(PartsOf(status).what,
            "service 'wire': tare-proxy exited with code 64 before it listened");
  EXPECT_THAT(PartsOf(status).detail, HasSubstr("/no/such/trace"));
}

TEST(Proxy, NeedsOneRunningServerBehindIt) {
  EXPECT_EQ(FormatError(StartService(Asked(), {.directory = "/tmp", .cpus = {}}).status()),
            "service 'wire': service 'db' behind it does not run");
  EXPECT_EQ(PartsOf(StartBefore(Asked(), "user=u").status()).what,
            "service 'wire': 'dsn' names no host");
}

TEST(Proxy, SaysThatItWasKilled) {
  auto service = StartBefore(Asked(), "host=127.0.0.1").value();
  kill(service->ServingPids()[0], SIGKILL);
  const absl::Status status = service->CheckRunning();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(PartsOf(status).what, "service 'wire': tare-proxy was ended by signal 9");
  EXPECT_THAT(PartsOf(status).detail, testing::StartsWith("listening on 127.0.0.1:"));
  EXPECT_EQ(service->proxy()->Evidence().status().code(), absl::StatusCode::kUnavailable);
}

// What ProxyControl says to a peer that answers `answer`, and then hangs up.
absl::Status CountersFrom(const std::string& answer) {
  const std::string name = absl::StrCat("tare-proxy-control-test-", getpid());
  UniqueFd listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, name.size());
  EXPECT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address),
                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())),
            0);
  EXPECT_EQ(listen(listener.get(), 1), 0);
  std::thread peer([&] {
    UniqueFd client(accept(listener.get(), nullptr, nullptr));
    char asked[64] = {};
    EXPECT_GT(recv(client.get(), asked, sizeof asked - 1, 0), 0);
    EXPECT_STREQ(asked, "{\"counters\":{}}\n");
    send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
  });
  const absl::Status status = ProxyControl(name).Counters().status();
  peer.join();
  return status;
}

TEST(ProxyControl, TakesNothingButTheAnswer) {
  EXPECT_EQ(CountersFrom("{\"counters\":{\"turns\":3}}\n"), absl::OkStatus());
  EXPECT_EQ(FormatError(CountersFrom("{\"error\":{\"message\":\"no\"}}\n")),
            "tare-proxy was asked for its counters and answered something else\n"
            "  detail: {\"error\":{\"message\":\"no\"}}\n"
            "  try: install tare-agent and tare-proxy of one version");
  for (const char* answer : {"{\"counters\":{\"turns\":\"x\"}}\n", "{\"counters\":3}\n",
                             "{\"counters\":{\"unknown\":3}}\n", "\n"}) {
    EXPECT_EQ(CountersFrom(answer).code(), absl::StatusCode::kDataLoss) << answer;
  }
  for (const char* answer : {"", "{\"counters\":{}}"}) {
    EXPECT_EQ(FormatError(CountersFrom(answer)),
              "tare-proxy does not answer on its control socket\n  detail: it hung up");
  }
}

}  // namespace
}  // namespace tare::agent
