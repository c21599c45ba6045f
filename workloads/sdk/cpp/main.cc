#include <fcntl.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/version.h"
#include "workloads/sdk/cpp/session.h"
#include "workloads/sdk/cpp/workload.h"

namespace tare::sdk {
namespace {

constexpr int kExitUsage = 64;

// The open descriptor that the variable names, made close-on-exec; -1 when there is none. Children
// of the workload see neither the descriptor nor the variable.
int ProtocolDescriptor(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return -1;
  int fd = -1;
  const char* end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, fd);
  if (parsed.ec != std::errc() || parsed.ptr != end || fd < 0) return -1;
  unsetenv(variable);
  return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? fd : -1;
}

void PrintHelp(const About& about) {
  std::printf(
      "%s: %s\n\n"
      "A workload: tare starts it and tells it over two pipes what to measure. Use it in an\n"
      "experiment, such as\n\n"
      "  workload: { command: [%s], config: { … } }\n\n"
      "Settings under 'config':\n%s\n"
      "Options:\n"
      "  --help     print this\n"
      "  --version  print the version\n",
      about.name.c_str(), about.summary.c_str(), about.name.c_str(), about.config.c_str());
}

// The part of Main that both kinds of workload share.
template <typename Measured>
int MainOf(int argc, char** argv, Measured& workload) {
  const About about = workload.about();
  const char* const name = about.name.c_str();
  if (argc > 1 && std::strcmp(argv[1], "--help") == 0) {
    PrintHelp(about);
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
    std::printf("%s %s\n", name, kVersion);
    return 0;
  }
  if (argc > 1) {
    std::fprintf(stderr,
                 "%s: unknown argument '%s'\n"
                 "  detail: settings go under 'config' in the experiment\n"
                 "  try: %s --help\n",
                 name, argv[1], name);
    return kExitUsage;
  }
  const int in = ProtocolDescriptor("TARE_WORKLOAD_IN");
  const int out = ProtocolDescriptor("TARE_WORKLOAD_OUT");
  if (in < 0 || out < 0) {
    std::fprintf(stderr,
                 "%s is a workload: it is started by tare, not by hand\n"
                 "  detail: TARE_WORKLOAD_IN and TARE_WORKLOAD_OUT do not name two open pipes\n"
                 "  try: name it under 'workload' in an experiment, then: tare run FILE\n",
                 name);
    return kExitUsage;
  }
  return Serve(workload, in, out);
}

}  // namespace

int Main(int argc, char** argv, Workload& workload) { return MainOf(argc, argv, workload); }

int Main(int argc, char** argv, ContinuousWorkload& workload) {
  return MainOf(argc, argv, workload);
}

}  // namespace tare::sdk
