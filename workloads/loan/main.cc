// tare-loan: a small HTTP server to measure, in two versions of which one does more work.

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "workloads/loan/server.h"

namespace tare::loan {
namespace {

constexpr int kExitUsage = 64;
constexpr int kExitUnavailable = 69;
constexpr int64_t kLoansMax = 10'000'000;
constexpr int kThreadsMax = 64;

void AddOptions(CLI::App& app, ServerOptions& options, std::string& version) {
  app.add_option("--port", options.port, "of 127.0.0.1; 0: a free one")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--version", version, "b runs one more query a request")
      ->check(CLI::IsMember({"a", "b"}))
      ->capture_default_str()
      ->type_name("VERSION");
  app.add_option("--loans", options.size.loans_count, "rows")
      ->check(CLI::Range(int64_t{1}, kLoansMax))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--members", options.size.members_count, "who have made them: U-0, U-1, …")
      ->check(CLI::Range(int64_t{1}, kLoansMax))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--threads", options.threads_count, "each with a store of its own")
      ->check(CLI::Range(1, kThreadsMax))
      ->capture_default_str()
      ->type_name("N");
}

int Main(int argc, char** argv) {
  ServerOptions options;
  std::string version = "a";
  CLI::App app{
      "Serves the loans of a library by HTTP/1.1 on 127.0.0.1 until SIGTERM.\n"
      "GET /loan?member=U-7, /metrics, /health\n"
      "Example: tare-loan --port 8080 --version b",
      "tare-loan"};
  AddOptions(app, options, version);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  options.version = version == "b" ? Version::kB : Version::kA;
  const std::optional<Failure> failure = Serve(options, [](uint16_t port) {
    std::printf("listening on 127.0.0.1:%d\n", port);
    std::fflush(stdout);
  });
  if (!failure) return 0;
  std::fprintf(stderr, "tare-loan: %s\n", failure->what.c_str());
  if (!failure->detail.empty()) std::fprintf(stderr, "  detail: %s\n", failure->detail.c_str());
  if (!failure->action.empty()) std::fprintf(stderr, "  try: %s\n", failure->action.c_str());
  return kExitUnavailable;
}

}  // namespace
}  // namespace tare::loan

int main(int argc, char** argv) { return tare::loan::Main(argc, argv); }
