// Goal: the control socket and the command line, on the real program.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/proxy/proxy_program.h"
#include "tests/proxy/sockets.h"

namespace tare {
namespace {

using testing::HasSubstr;

class ProxyControl : public testing::Test {
 protected:
  void SetUp() override { listener_ = ListenOnLoopback(&server_address_); }

  // One round trip of a connection of its own.
  void Visit(const ProxyProgram& proxy) {
    UniqueFd client = ConnectTo(proxy.address());
    UniqueFd server = AcceptFrom(listener_);
    SendAll(client, "q");
    EXPECT_EQ(Receive(server, 1), "q");
    SendAll(server, "a");
    EXPECT_EQ(Receive(client, 1), "a");
  }

  std::string server_address_;
  UniqueFd listener_;
  const std::string control_ = absl::StrCat("unix-abstract:tare-control-test-", getpid());
};

TEST_F(ProxyControl, AnswersCountersAndEvidenceWhileItRuns) {
  ProxyProgram proxy({"--to=" + server_address_, "--control=" + control_});
  Visit(proxy);
  Visit(proxy);
  const nlohmann::json counters = AskControl(control_, R"({"counters":{}})")["counters"];
  EXPECT_EQ(counters["turns"], 2);
  EXPECT_EQ(counters["client_writes"], 2);
  EXPECT_EQ(counters["connections_accepted"], 2);
  const nlohmann::json evidence = AskControl(control_, R"({"evidence":{}})")["evidence"];
  EXPECT_EQ(evidence["listen"], proxy.address());
  EXPECT_EQ(evidence["to"], server_address_);
  EXPECT_EQ(evidence["profile"], "no delay");
  EXPECT_GT(evidence["uptime_ns"], 0);
}

TEST_F(ProxyControl, ANewProfileIsForNewConnections) {
  ProxyProgram proxy({"--to=" + server_address_, "--control=" + control_});
  UniqueFd old_client = ConnectTo(proxy.address());
  UniqueFd old_server = AcceptFrom(listener_);
  SendAll(old_client, "q");
  EXPECT_EQ(Receive(old_server, 1), "q");
  const nlohmann::json answer =
      AskControl(control_, R"({"profile":{"delay":"2ms","direction":"both"}})");
  EXPECT_EQ(answer["profile"]["now"], "fixed 2ms both");
  Visit(proxy);
  SendAll(old_server, "a");
  EXPECT_EQ(Receive(old_client, 1), "a");
  EXPECT_EQ(proxy.Stop(), 0);
  const nlohmann::json connections = proxy.Evidence()["connections"];
  EXPECT_EQ(connections[0]["profile"], "no delay");
  EXPECT_EQ(connections[0]["traffic"]["to_client"]["asked"]["maximum_ns"], 0);
  EXPECT_EQ(connections[1]["profile"], "fixed 2ms both");
  EXPECT_EQ(connections[1]["traffic"]["to_client"]["asked"]["minimum_ns"], 2'000'000);
}

TEST_F(ProxyControl, ExplainsWhatItDoesNotUnderstand) {
  ProxyProgram proxy({"--to=" + server_address_, "--control=" + control_});
  const struct {
    const char* line;
    const char* message;
  } kCases[] = {
      {"hello", "not a request\n  try: send a line such as {\"counters\":{}}"},
      {"[]", "not a request\n  try: send a line such as {\"counters\":{}}"},
      {R"({"stop":{}})", "'stop' is no request\n  detail: known: counters, evidence, profile"},
      {R"({"profile":{"delya":"1ms"}})",
       "a profile has no 'delya'\n  detail: known: delay, law, spread, trace, direction, "
       "bytes_per_second, record"},
      {R"({"profile":{"law":"normal"}})", "law normal needs a spread\n  try: --spread 50us"},
  };
  for (const auto& tested : kCases) {
    EXPECT_EQ(AskControl(control_, tested.line)["error"]["message"], tested.message);
  }
  Visit(proxy);
}

TEST_F(ProxyControl, RecordsEveryDelayOnRequest) {
  ProxyProgram proxy({"--to=" + server_address_, "--delay=1ms", "--record=full"});
  Visit(proxy);
  EXPECT_EQ(proxy.Stop(), 0);
  const nlohmann::json to_client = proxy.Evidence()["connections"][0]["traffic"]["to_client"];
  ASSERT_EQ(to_client["recorded_asked_ns"].size(), 1u);
  EXPECT_EQ(to_client["recorded_asked_ns"][0], 1'000'000);
  EXPECT_GE(to_client["recorded_applied_ns"][0], 1'000'000);
}

struct WrongCommand {
  const char* name;
  std::vector<std::string> arguments;
  int code;
  const char* error;
};

class WrongCommands : public testing::TestWithParam<WrongCommand> {};

TEST_P(WrongCommands, AreRefusedWithAReason) {
  ProxyProgram proxy(GetParam().arguments);
  EXPECT_EQ(proxy.address(), "");
  EXPECT_EQ(proxy.Wait(), GetParam().code);
  EXPECT_THAT(proxy.Errors(), HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongCommands,
    testing::Values(
        WrongCommand{"no_server", {}, 64, "--to is required"},
        WrongCommand{"no_address",
                     {"--to=nonsense"},
                     64,
                     "'nonsense' is no address\n  detail: the port is missing\n  try: write "
                     "host:port, as in 127.0.0.1:5432, or unix:/path"},
        WrongCommand{"no_port", {"--to=127.0.0.1:http"}, 64, "'http' is no port, 0 to 65535"},
        WrongCommand{"beyond",
                     {"--to=127.0.0.1:1", "--listen=0.0.0.0:0"},
                     64,
                     "will not listen on '0.0.0.0:0'"},
        WrongCommand{"no_unit", {"--to=127.0.0.1:1", "--delay=5"}, 64, "delay: "},
        WrongCommand{"no_trace",
                     {"--to=127.0.0.1:1", "--law=trace", "--trace=/nowhere/t"},
                     64,
                     "/nowhere/t"},
        WrongCommand{"control",
                     {"--to=127.0.0.1:1", "--control=127.0.0.1:1"},
                     64,
                     "'127.0.0.1:1' is no unix socket"}),
    [](const auto& tested) { return tested.param.name; });

// The options that a text names, in code marks or at the beginning of a line of help.
std::set<std::string> OptionsIn(const std::string& text) {
  std::set<std::string> options;
  const std::regex option("--[a-z][a-z-]+");
  for (std::sregex_iterator i(text.begin(), text.end(), option), end; i != end; ++i) {
    options.insert(i->str());
  }
  return options;
}

TEST(ProxyHelp, NamesTheSameOptionsAsItsDocument) {
  ProxyProgram help({"--help"});
  const std::string text = help.Output();
  EXPECT_EQ(help.Wait(), 0);
  EXPECT_THAT(text, HasSubstr("Example: tare-proxy --listen"));
  const char* source = getenv("TARE_SOURCE");
  const auto document = ReadFile(absl::StrCat(source == nullptr ? "." : source, "/docs/proxy.md"));
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(OptionsIn(text), OptionsIn(*document));
}

TEST_F(ProxyControl, EndsWithTheProcessThatStartedIt) {
  const std::string address = FreeAddress();
  const std::string command = absl::StrCat(getenv("TARE_BIN"), "/tare-proxy --to ", server_address_,
                                           " --listen ", address, " >/dev/null 2>&1 & wait");
  const pid_t shell = fork();
  if (shell == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  const auto await = [&address](bool listens) {
    for (int i = 0; i < 1000 && ConnectTo(address).is_open() != listens; ++i) {
      Clock::Real()->Wait(absl::Milliseconds(10));
    }
    return ConnectTo(address).is_open() == listens;
  };
  EXPECT_TRUE(await(true));
  kill(shell, SIGKILL);
  waitpid(shell, nullptr, 0);
  EXPECT_TRUE(await(false));
}

TEST_F(ProxyControl, ATakenPortIsCode69) {
  ProxyProgram proxy({"--to=127.0.0.1:1", "--listen=" + server_address_});
  EXPECT_EQ(proxy.Wait(), 69);
  EXPECT_EQ(proxy.Errors(), "tare-proxy: cannot listen on '" + server_address_ +
                                "'\n  detail: another program listens there\n  try: choose "
                                "another port, or 0 for a free one\n");
}

TEST_F(ProxyControl, AnUnwritableEvidenceFileIsSaid) {
  ProxyProgram proxy({"--to=127.0.0.1:1", "--evidence=/nowhere/e.json"});
  EXPECT_NE(proxy.Stop(), 0);
  EXPECT_THAT(proxy.Errors(), HasSubstr("/nowhere/e.json"));
}

}  // namespace
}  // namespace tare
