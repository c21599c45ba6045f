// curl through the proxy, from Python's own HTTP server.

#include <signal.h>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

class Curl : public ProxiedTest {
 protected:
  // Serves the test's directory until it is killed.
  Running ServeDirectory(int* port) {
    Running server =
        StartServer("/usr/bin/python3", {"-u", "-m", "http.server", "--protocol", "HTTP/1.1",
                                         "--bind", "127.0.0.1", "--directory", directory_, "0"});
    Await("the server to listen", [&] {
      const std::vector<std::string> words = absl::StrSplit(server.out(), ' ');
      return words.size() > 5 && absl::SimpleAtoi(words[5], port);
    });
    return server;
  }
};

TEST_F(Curl, DownloadsTwiceOverOneConnection) {
  const std::string content = MakeLines(64'000);
  Write("served", content);
  int port = 0;
  Running server = ServeDirectory(&port);
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    ProxyProcess proxy = StartProxy(absl::StrCat("127.0.0.1:", port), delay);
    const std::string url = absl::StrCat("http://127.0.0.1:", proxy.port(), "/served");
    const Outcome curl =
        Start("/usr/bin/curl", {"-sS", "--fail", "--noproxy", "*", "-w", "%{num_connects} ", "-o",
                                Path("first"), url, "-o", Path("second"), url})
            .Wait();
    EXPECT_EQ(curl.code, 0) << curl.err;
    EXPECT_EQ(curl.out, "1 0 ");
    for (const char* name : {"first", "second"}) {
      EXPECT_TRUE(ReadFile(Path(name), int64_t{1} << 30).value() == content) << name;
    }
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    EXPECT_EQ(evidence.connections_accepted(), 1);
    EXPECT_EQ(evidence.total().turns(), 2);
    EXPECT_FALSE(evidence.total().has_postgres());
  }
  kill(server.pid(), SIGTERM);
  server.Wait();
}

}  // namespace
}  // namespace tare
