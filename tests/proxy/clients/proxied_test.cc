#include "tests/proxy/clients/proxied_test.h"

#include <signal.h>

#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/files.h"
#include "base/random.h"
#include "google/protobuf/util/json_util.h"

namespace tare {
namespace {

constexpr char kListening[] = "listening on 127.0.0.1:";

}  // namespace

ProxyProcess::ProxyProcess(Running running, std::string evidence_path)
    : running_(std::move(running)), evidence_path_(std::move(evidence_path)) {
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  std::string line;
  while (!absl::EndsWith(line, "\n") && absl::Now() < deadline) {
    Clock::Real()->Wait(absl::Milliseconds(1));
    line = running_.out();
  }
  absl::string_view port = absl::StripSuffix(line, "\n");
  EXPECT_TRUE(absl::ConsumePrefix(&port, kListening) && absl::SimpleAtoi(port, &port_))
      << "'" << line << "' " << running_.err();
}

ProxyProcess::~ProxyProcess() {
  if (is_stopped_) return;
  kill(running_.pid(), SIGKILL);
  running_.Wait();
}

v1::ProxyEvidence ProxyProcess::Stop() {
  is_stopped_ = true;
  kill(running_.pid(), SIGTERM);
  const Outcome outcome = running_.Wait(absl::Seconds(20));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  v1::ProxyEvidence evidence;
  const absl::StatusOr<std::string> text = ReadFile(evidence_path_);
  EXPECT_TRUE(text.ok()) << text.status();
  if (!text.ok()) return evidence;
  const auto status = google::protobuf::util::JsonStringToMessage(*text, &evidence);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return evidence;
}

Running ProxiedTest::StartServer(const std::string& program,
                                 const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"--pdeathsig", "KILL", program};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return Start("/usr/bin/setpriv", all);
}

ProxyProcess ProxiedTest::StartProxy(const std::string& to,
                                     const std::vector<std::string>& arguments) {
  const std::string evidence = Path(absl::StrCat("evidence-", ++proxies_count_));
  std::vector<std::string> all = {"--to", to, "--evidence", evidence, "--record", "full"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return ProxyProcess(StartServer(absl::StrCat(getenv("TARE_BIN"), "/tare-proxy"), all), evidence);
}

ProxyProcess ProxiedTest::StartProxy(const std::string& to, absl::Duration delay) {
  return StartProxy(
      to, {"--delay", absl::StrCat(absl::ToInt64Microseconds(delay), "us"), "--direction", "both"});
}

void ProxiedTest::ExpectNoneEarly(const v1::ProxyEvidence& evidence) {
  for (const v1::ProxyConnection& connection : evidence.connections()) {
    for (const v1::ProxyDirection& direction :
         {connection.traffic().to_server(), connection.traffic().to_client()}) {
      EXPECT_EQ(direction.recorded_applied_ns_size(), direction.asked().count());
      int early_count = 0;
      for (int i = 0; i < direction.recorded_applied_ns_size(); ++i) {
        if (direction.recorded_applied_ns(i) < direction.recorded_asked_ns(i)) ++early_count;
      }
      EXPECT_EQ(early_count, 0);
    }
  }
}

void ProxiedTest::ExpectIntact(const v1::ProxyEvidence& evidence, absl::Duration delay) {
  EXPECT_EQ(evidence.connections_failed(), 0);
  EXPECT_EQ(evidence.connections_open(), 0);
  for (const v1::ProxyDirection& direction :
       {evidence.total().to_server(), evidence.total().to_client()}) {
    EXPECT_GT(direction.bytes(), 0);
    EXPECT_EQ(direction.bytes_undelivered(), 0);
    EXPECT_EQ(direction.asked().minimum_ns(), absl::ToInt64Nanoseconds(delay));
    EXPECT_EQ(direction.asked().maximum_ns(), absl::ToInt64Nanoseconds(delay));
  }
  ExpectNoneEarly(evidence);
}

ProxyProcess PostgresProxiedTest::StartProxy(absl::Duration delay) {
  return ProxiedTest::StartProxy(absl::StrCat("127.0.0.1:", cluster_.port()), delay);
}

std::string PostgresProxiedTest::Through(const ProxyProcess& proxy, const std::string& database) {
  return absl::StrCat("host=127.0.0.1 port=", proxy.port(), " user=", PostgresCluster::kUser,
                      " password='", PostgresCluster::kPassword, "' dbname=", database,
                      " sslmode=disable");
}

Running PostgresProxiedTest::StartClient(const std::string& program,
                                         const std::vector<std::string>& arguments) {
  return Start(absl::StrCat(cluster_.programs(), "/", program), arguments);
}

std::string PostgresProxiedTest::RunClient(const std::string& program,
                                           const std::vector<std::string>& arguments) {
  const Outcome outcome = StartClient(program, arguments).Wait();
  EXPECT_EQ(outcome.code, 0) << program << ": " << outcome.err;
  return outcome.out;
}

std::string PostgresProxiedTest::Ask(const std::string& conninfo, const std::string& statement) {
  std::string answer =
      RunClient("psql", {"-XAtq", "-v", "ON_ERROR_STOP=1", "-d", conninfo, "-c", statement});
  return std::string(absl::StripSuffix(answer, "\n"));
}

std::string PostgresProxiedTest::AskServer(const std::string& statement,
                                           const std::string& database) {
  return Ask(absl::StrCat(cluster_.address(), " dbname=", database), statement);
}

std::string MakeLines(int count) {
  constexpr size_t kLineBytes = 1000;
  constexpr size_t kLettersBytes = 1 << 20;
  Random random(1);
  std::string letters(kLettersBytes, ' ');
  for (char& letter : letters) letter = static_cast<char>('a' + random.Below(26));
  std::string lines;
  lines.reserve(static_cast<size_t>(count) * kLineBytes);
  for (int i = 0; i < count; ++i) {
    const std::string number = absl::StrCat(i, "\t");
    const size_t letters_count = kLineBytes - number.size() - 1;
    absl::StrAppend(
        &lines, number,
        absl::string_view(letters).substr(random.Below(kLettersBytes - kLineBytes), letters_count),
        "\n");
  }
  return lines;
}

}  // namespace tare
