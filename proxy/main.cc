// tare-proxy: a TCP relay that holds bytes back for a known time, and tells how exactly it did.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/message_json.h"
#include "base/status.h"
#include "base/units.h"
#include "base/version.h"
#include "proxy/control.h"
#include "proxy/profile_text.h"
#include "proxy/relay.h"

namespace tare::proxy {
namespace {

constexpr int kExitUsage = 64;
constexpr int kExitUnavailable = 69;

struct Arguments {
  std::string listen = "127.0.0.1:0";
  std::string to;
  ProfileText profile;
  std::string polling = "50us";
  std::string held_bytes = "256MiB";
  std::string dial_timeout = "5s";
  std::string half_close_timeout = "5min";
  std::string drain = "2s";
  std::string control;
  std::string evidence;
  uint64_t seed = 1;
  bool is_insecure = false;
  bool refuses = false;
  int64_t reset_after = -1;
  int64_t stall_after = -1;
  std::string accept_delay = "0";
};

void AddProfileOptions(CLI::App& app, ProfileText& profile) {
  const std::string group = "Delay";
  app.add_option("--delay", profile.delay, "how long bytes are held back [0]; of a law its mean")
      ->group(group)
      ->type_name("TIME");
  app.add_option("--law", profile.law, "fixed, uniform, normal, pareto or trace [fixed]")
      ->group(group)
      ->type_name("LAW");
  app.add_option("--spread", profile.spread,
                 "uniform: half the width; normal, pareto: standard deviation")
      ->group(group)
      ->type_name("TIME");
  app.add_option("--trace", profile.trace, "of law trace: a file with one delay a line")
      ->group(group)
      ->type_name("FILE");
  app.add_option("--direction", profile.direction,
                 "which bytes: to-client, to-server or both [to-client]")
      ->group(group)
      ->type_name("WHICH");
  app.add_option("--bytes-per-second", profile.bytes_per_second, "bandwidth of each direction")
      ->group(group)
      ->type_name("N");
  app.add_option("--record", profile.record, "summary, or full: every delay [summary]")
      ->group(group)
      ->type_name("WHAT");
}

void AddRelayOptions(CLI::App& app, Arguments& arguments) {
  app.add_option("--listen", arguments.listen, "host:port or unix:/path; port 0: a free one")
      ->capture_default_str()
      ->type_name("ADDRESS");
  app.add_option("--to", arguments.to, "the server: host:port or unix:/path")
      ->required()
      ->type_name("ADDRESS");
  app.add_option("--evidence", arguments.evidence,
                 "where to write what was done, as JSON, at the end")
      ->type_name("FILE");
  app.add_option("--control", arguments.control,
                 "unix:/path or unix-abstract:name for counters, evidence and new profiles")
      ->type_name("ADDRESS");
  app.add_option("--seed", arguments.seed, "governs every draw")->capture_default_str();
  app.add_flag("--insecure", arguments.is_insecure,
               "allow listening beyond this machine: anyone there can reach the server");
}

void AddLimitOptions(CLI::App& app, Arguments& arguments) {
  const std::string group = "Limits";
  app.add_option("--held-bytes", arguments.held_bytes, "held of one direction before reading stops")
      ->group(group)
      ->capture_default_str()
      ->type_name("BYTES");
  app.add_option("--spin", arguments.polling,
                 "poll for so long before a release is due; 0: trust the timer")
      ->group(group)
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--dial-timeout", arguments.dial_timeout, "for the server to accept")
      ->group(group)
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--half-close-timeout", arguments.half_close_timeout,
                 "of a connection that one side has closed and on which nothing moves")
      ->group(group)
      ->capture_default_str()
      ->type_name("TIME");
  app.add_option("--drain", arguments.drain, "after SIGTERM, to hand on what is held")
      ->group(group)
      ->capture_default_str()
      ->type_name("TIME");
}

void AddFaultOptions(CLI::App& app, Arguments& arguments) {
  const std::string group = "Faults, to test what is on either side";
  app.add_flag("--fault-refuse", arguments.refuses, "reset every client at once")->group(group);
  app.add_option("--fault-reset-after", arguments.reset_after,
                 "reset a connection after so many bytes to the client")
      ->group(group)
      ->type_name("BYTES")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--fault-stall-after", arguments.stall_after, "the same, and then silence")
      ->group(group)
      ->type_name("BYTES")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--fault-accept-delay", arguments.accept_delay, "wait before dialling the server")
      ->group(group)
      ->type_name("TIME");
}

absl::StatusOr<absl::Duration> ReadDuration(const char* name, const std::string& text) {
  const absl::StatusOr<int64_t> value_ns = ParseDurationNs(text);
  if (!value_ns.ok()) return Annotate(value_ns.status(), name);
  return absl::Nanoseconds(*value_ns);
}

absl::StatusOr<RelayOptions> MakeOptions(const Arguments& arguments) {
  RelayOptions options;
  ASSIGN_OR_RETURN(options.listen, Address::Parse(arguments.listen));
  ASSIGN_OR_RETURN(options.server, Address::Parse(arguments.to));
  ASSIGN_OR_RETURN(options.profile, ParseProfile(arguments.profile));
  ASSIGN_OR_RETURN(options.polling, ReadDuration("--spin", arguments.polling));
  ASSIGN_OR_RETURN(options.drain, ReadDuration("--drain", arguments.drain));
  ASSIGN_OR_RETURN(options.limits.dial_timeout,
                   ReadDuration("--dial-timeout", arguments.dial_timeout));
  ASSIGN_OR_RETURN(options.limits.half_close_timeout,
                   ReadDuration("--half-close-timeout", arguments.half_close_timeout));
  ASSIGN_OR_RETURN(options.limits.held_bytes_max, ParseBytes(arguments.held_bytes));
  ASSIGN_OR_RETURN(options.faults.accept_delay,
                   ReadDuration("--fault-accept-delay", arguments.accept_delay));
  options.faults.refuses = arguments.refuses;
  options.faults.reset_after_bytes = arguments.reset_after;
  options.faults.stall_after_bytes = arguments.stall_after;
  options.seed = arguments.seed;
  if (!options.listen.is_local() && !arguments.is_insecure) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("will not listen on '", arguments.listen, "'"))
        .Detail("anyone who reaches this machine would reach the server")
        .Try("listen on 127.0.0.1, or say --insecure");
  }
  if (options.limits.held_bytes_max <= 0) {
    return MakeError(absl::StatusCode::kInvalidArgument, "--held-bytes is at least 1B");
  }
  return options;
}

// Readable when the program is asked to end.
int OpenStopFd() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Whoever started it is gone: nobody is left to stop it. A warden's own wish goes first.
void EndWithParent() {
  int signal_number = 0;
  if (prctl(PR_GET_PDEATHSIG, &signal_number) == 0 && signal_number != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

// Two descriptors a connection.
void RaiseDescriptorLimit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void PrintSummary(const v1::ProxyEvidence& evidence) {
  const v1::ProxyTraffic& total = evidence.total();
  std::fprintf(stderr, "tare-proxy: %lld connections, %lld round trips, %s to server, %s to client",
               static_cast<long long>(evidence.connections_accepted()),
               static_cast<long long>(total.turns()),
               FormatBytes(total.to_server().bytes()).c_str(),
               FormatBytes(total.to_client().bytes()).c_str());
  const v1::ProxyDirection& delayed =
      total.to_client().asked().maximum_ns() > 0 ? total.to_client() : total.to_server();
  if (delayed.asked().maximum_ns() > 0) {
    std::fprintf(stderr, "\n  delay asked %s (p50), applied later by %s (p50), %s (p99)",
                 FormatDuration(static_cast<double>(delayed.asked().p50_ns())).c_str(),
                 FormatDuration(static_cast<double>(delayed.late().p50_ns())).c_str(),
                 FormatDuration(static_cast<double>(delayed.late().p99_ns())).c_str());
  }
  std::fputc('\n', stderr);
}

int Complain(const absl::Status& status) {
  std::fprintf(stderr, "tare-proxy: %s\n", FormatError(status).c_str());
  return absl::IsInvalidArgument(status) || absl::IsNotFound(status) ? kExitUsage
                                                                     : kExitUnavailable;
}

absl::Status RunProxy(const Arguments& arguments) {
  ASSIGN_OR_RETURN(RelayOptions options, MakeOptions(arguments));
  const UniqueFd stop(OpenStopFd());
  options.stop_fd = stop.get();
  const int64_t started_ns = NowNs();
  ASSIGN_OR_RETURN(const std::unique_ptr<Relay> relay, Relay::Start(options));
  const std::string to = options.server.text();
  ASSIGN_OR_RETURN(std::unique_ptr<Control> control,
                   Control::Start(arguments.control, relay.get(), to));
  std::printf("listening on %s\n", relay->listening_on().c_str());
  std::fflush(stdout);
  relay->Run();
  control.reset();
  const v1::ProxyEvidence evidence = CollectEvidence(*relay, to, started_ns);
  PrintSummary(evidence);
  if (arguments.evidence.empty()) return absl::OkStatus();
  return WriteFile(arguments.evidence, absl::StrCat(FormatJson(evidence, 2), "\n"));
}

int Main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{
      "Relays TCP to a server and holds bytes back for a known time: a network distance that is\n"
      "exact, and measured while it is applied.\n"
      "Example: tare-proxy --listen 127.0.0.1:6432 --to 127.0.0.1:5432 --delay 1ms",
      "tare-proxy"};
  app.set_version_flag("--version", absl::StrCat("tare-proxy ", kVersion));
  AddRelayOptions(app, arguments);
  AddProfileOptions(app, arguments.profile);
  AddLimitOptions(app, arguments);
  AddFaultOptions(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  signal(SIGPIPE, SIG_IGN);
  EndWithParent();
  RaiseDescriptorLimit();
  const absl::Status status = RunProxy(arguments);
  return status.ok() ? 0 : Complain(status);
}

}  // namespace
}  // namespace tare::proxy

int main(int argc, char** argv) { return tare::proxy::Main(argc, argv); }
