#include "tests/load/load_trial.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "gtest/gtest.h"
#include "tests/workload/pipes.h"
#include "workloads/load/load.h"
#include "workloads/sdk/cpp/session.h"

namespace tare::load {
namespace {

using Json = nlohmann::json;

// One answer. It is all that is there, since nothing is said unasked.
std::string ReadAnswer(int fd) {
  std::string answer;
  std::vector<char> buffer(1 << 16);
  while (!answer.ends_with('\n')) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count <= 0) break;
    answer.append(buffer.data(), static_cast<size_t>(count));
  }
  return answer;
}

// Takes one answer; false when it was an error.
bool Take(const Pipes& pipes, const char* name, Json* answer, Json* error) {
  const Json message = Json::parse(ReadAnswer(pipes.agent_in.get()), nullptr, false);
  if (message.contains(name)) {
    *answer = message[name];
    return true;
  }
  *error = message.value("error", Json());
  EXPECT_FALSE(error->is_null()) << message;
  return false;
}

void Say(const Pipes& pipes, const Json& message) {
  EXPECT_TRUE(WriteFully(pipes.agent_out.get(), message.dump() + "\n").ok());
}

void Converse(const Pipes& pipes, const Json& setup, const TrialOptions& options,
              LoadTrial* trial) {
  if (!Take(pipes, "hello", &trial->hello, &trial->error)) return;
  Say(pipes, {{"setup", setup}});
  if (!Take(pipes, "ready", &trial->ready, &trial->error)) return;
  Say(pipes, {{"measure",
               {{"arms", std::vector<int>(static_cast<size_t>(options.samples), 0)},
                {"iterations", 1},
                {"arms_per_set", 1},
                {"warmup_samples", options.warmup}}}});
  if (!Take(pipes, "samples", &trial->samples, &trial->error)) return;
  Say(pipes, {{"collect", Json::object()}});
  Json evidence;
  if (!Take(pipes, "evidence", &evidence, &trial->error)) return;
  trial->evidence = evidence["arms"][0];
}

}  // namespace

std::vector<int64_t> LoadTrial::Column(const char* name) const {
  return samples.value(name, std::vector<int64_t>());
}

std::vector<int64_t> LoadTrial::Step(const char* name) const {
  return samples.value("steps", Json::object()).value(name, std::vector<int64_t>());
}

int64_t LoadTrial::Counter(const char* name) const {
  EXPECT_TRUE(evidence.contains("counters")) << Error();
  if (!evidence.contains("counters")) return -1;
  EXPECT_TRUE(evidence["counters"].contains(name)) << name;
  return evidence["counters"].value(name, int64_t{-1});
}

std::string LoadTrial::Error() const {
  if (error.is_null()) return "";
  return absl::StrCat(error["message"].get<std::string>(), " | ",
                      error["detail"].get<std::string>(), " | ", error["code"].get<std::string>());
}

Json OpenLoop(const Json& more) {
  Json config = {{"url", "/{n}"}, {"rate", "2000/s"}, {"lag_max", "60s"}, {"timeout", "20s"}};
  config.update(more);
  return config;
}

Json ClosedLoop(const Json& more) {
  Json config = {{"url", "/{n}"}, {"loop", "closed"}, {"timeout", "20s"}};
  config.update(more);
  return config;
}

LoadTrial RunTrial(const std::string& address, const Json& config, TrialOptions options) {
  if (options.services.empty()) options.services = {{{"name", "server"}, {"address", address}}};
  Json arm = options.arm;
  if (!arm.contains("name")) arm["name"] = "a";
  arm["config"] = config;
  const Json setup = {{"arms", {arm}},
                      {"services", options.services},
                      {"seed", options.seed},
                      {"samples_max", options.samples}};
  Pipes pipes;
  LoadTrial trial;
  std::thread process([&pipes] {
    Load load;
    sdk::Serve(load, pipes.process_in.get(), pipes.process_out.get());
    pipes.process_out.Reset();
  });
  Converse(pipes, setup, options, &trial);
  pipes.agent_out.Reset();
  process.join();
  return trial;
}

int CountAbove(const std::vector<int64_t>& column, int64_t limit) {
  return static_cast<int>(std::count_if(column.begin(), column.end(),
                                        [limit](int64_t value) { return value > limit; }));
}

}  // namespace tare::load
