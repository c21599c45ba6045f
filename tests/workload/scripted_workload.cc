// A workload whose every number and misbehaviour is scripted, for end-to-end tests. It speaks the
// protocol by itself, without the SDK, and time is a script too: nothing is waited for, so a trial
// takes no longer than its pipes.
//
//   config: { mode: ok, work_us: 100, noise_ns: 500, spread_ns: 2000 }
//   command: [scripted_workload, MODE]      # MODE then holds for the process from its first line
//
// A sample takes work_us and what is added to it: its known delay, up to 2 × noise_ns drawn anew
// for each sample, and up to 2 × spread_ns drawn once a process. The defaults are 100, 500 and
// 2000. The seed of setup governs all draws.
//
// mode, as argument or as config of an arm:
//   ok                 nothing
//   ignores-config     answers setup with work_us 0 (that arm)
//   other-checksum     returns another checksum (that arm)
//   no-work            counts no operations and no records and has no checksum (that arm)
//   first-slow         the first sample of every set takes 20 us longer, whatever its arm
//   coarse-clock       times are whole milliseconds; as argument, hello says so too
//   wrong-arms         answers measure with the arms in another order
//   garbage            writes a line that is not the protocol
//   closes-early       closes the protocol and exits with 0
//   dies               exits with 3, last words on stderr
//   crashes            ends by SIGABRT
//   hangs              says nothing more and ignores SIGTERM
//   leaves-grandchild  leaves a sleeping process in a session of its own
//   chatty             writes 8 MiB to stdout and to stderr
// From garbage on, the argument acts before hello, the config of any arm at the first timed block.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/random.h"

namespace tare {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kCoarseTickNs = 1'000'000;

int Descriptor(const char* variable) {
  const char* text = getenv(variable);
  if (text != nullptr) return atoi(text);
  std::cerr << "scripted_workload: " << variable << " is not set\n";
  exit(64);
}

// Misbehaviours of the whole process; returns for every other mode.
void Act(const std::string& mode, int out) {
  if (mode == "garbage") {
    if (!WriteFully(out, "Loading model... done\n").ok()) exit(1);
  } else if (mode == "closes-early") {
    exit(0);
  } else if (mode == "dies") {
    std::cerr << "scripted_workload: dying as told" << std::endl;
    exit(3);
  } else if (mode == "crashes") {
    abort();
  } else if (mode == "hangs") {
    signal(SIGTERM, SIG_IGN);
    while (true) pause();
  } else if (mode == "leaves-grandchild") {
    if (fork() == 0) {
      setsid();
      if (fork() == 0) execlp("sleep", "sleep", "300", nullptr);
      _exit(0);
    }
  } else if (mode == "chatty") {
    const std::string line = std::string(1023, '#') + "\n";
    for (int i = 0; i < 8 * 1024; ++i) {
      std::cout << line;
      std::cerr << line;
    }
    std::cout.flush();
  }
}

struct ScriptedArm {
  std::string name;
  std::string mode;
  int64_t work_ns;
  int64_t noise_ns;
  int64_t spread_ns;
  int64_t operations = 0;
};

class Script {
 public:
  Script(std::string mode, int out) : mode_(std::move(mode)), out_(out) {}

  void Say(const char* name, Json body) {
    Json message;
    message[name] = std::move(body);
    if (!WriteFully(out_, message.dump() + "\n").ok()) exit(1);
  }

  void Hello() {
    Act(mode_, out_);
    Say("hello", {{"protocol", 1},
                  {"harness", "scripted"},
                  {"runtime", "c++"},
                  {"clock", "script"},
                  {"tick_ns", mode_ == "coarse-clock" ? kCoarseTickNs : 1}});
  }

  void Setup(const Json& setup) {
    random_ = Random(setup.at("seed").get<uint64_t>());
    const Json defaults = {
        {"mode", "ok"}, {"work_us", 100}, {"noise_ns", 500}, {"spread_ns", 2000}};
    Json arms = setup.at("arms");
    for (Json& arm : arms) {
      Json& config = arm["config"];
      Json resolved = config;
      for (const auto& [key, value] : defaults.items()) {
        if (!config.contains(key)) resolved[key] = value;
      }
      const int64_t spread_ns = resolved["spread_ns"].get<int64_t>();
      arms_.push_back({arm["name"], mode_ != "ok" ? mode_ : resolved["mode"].get<std::string>(),
                       resolved["work_us"].get<int64_t>() * 1'000,
                       resolved["noise_ns"].get<int64_t>(), Draw(spread_ns)});
      if (arms_.back().mode == "ignores-config") resolved["work_us"] = 0;
      config = resolved;
    }
    // One process is slow or fast as a whole: all arms share its offset.
    for (ScriptedArm& arm : arms_) arm.spread_ns = arms_.front().spread_ns;
    Say("ready", {{"arms", arms}});
  }

  void Measure(const Json& measure) {
    const bool is_warmup = measure.value("is_warmup", false);
    if (!is_warmup && !has_acted_) {
      has_acted_ = true;
      for (const ScriptedArm& arm : arms_) {
        if (mode_ == "ok") Act(arm.mode, out_);
      }
    }
    const std::vector<size_t> order = measure.at("arms");
    const std::vector<int64_t> delays = measure.value("delay_ns", std::vector<int64_t>());
    const int64_t iterations = measure.value("iterations", int64_t{1});
    const size_t arms_per_set = measure.value("arms_per_set", size_t{1});
    std::vector<int64_t> start, value, applied;
    int64_t now_ns = 100;
    for (size_t i = 0; i < order.size(); ++i) {
      ScriptedArm& arm = arms_.at(order[i]);
      int64_t value_ns = arm.work_ns + arm.spread_ns + Draw(arm.noise_ns);
      if (Has("first-slow") && i % arms_per_set == 0) value_ns += 20'000;
      value_ns *= iterations;
      int64_t applied_ns = delays.empty() ? 0 : delays.at(order[i]) * iterations;
      if (applied_ns > 0) applied_ns += 40;  // as a busy wait overshoots
      value_ns += applied_ns;
      if (Has("coarse-clock")) value_ns -= value_ns % kCoarseTickNs;
      start.push_back(now_ns);
      value.push_back(value_ns);
      applied.push_back(applied_ns);
      now_ns += value_ns + 50;
      if (!is_warmup && arm.mode != "no-work") arm.operations += iterations;
    }
    std::vector<size_t> said = order;
    if (Has("wrong-arms")) std::rotate(said.begin(), said.begin() + 1, said.end());
    Say("samples", {{"block", measure.value("block", 0)},
                    {"is_warmup", is_warmup},
                    {"arm", said},
                    {"start_ns", start},
                    {"value_ns", value},
                    {"applied_ns", applied},
                    {"steps", {{"work", value}}}});
  }

  void Collect() {
    Json arms = Json::array();
    for (const ScriptedArm& arm : arms_) {
      std::string checksum = arm.mode == "other-checksum" ? "0bad" : "600d";
      if (arm.mode == "no-work") checksum.clear();
      arms.push_back({{"arm", arm.name},
                      {"operations", arm.operations},
                      {"checksum", checksum},
                      {"records", arm.operations * 10}});
    }
    Say("evidence", {{"arms", arms}});
  }

 private:
  // Uniform in [0, 2 × mean_ns].
  int64_t Draw(int64_t mean_ns) {
    return static_cast<int64_t>(random_.Below(static_cast<uint64_t>(2 * mean_ns) + 1));
  }

  bool Has(const char* mode) const {
    return std::any_of(arms_.begin(), arms_.end(),
                       [mode](const ScriptedArm& arm) { return arm.mode == mode; });
  }

  std::string mode_;
  int out_;
  Random random_{0};
  std::vector<ScriptedArm> arms_;
  bool has_acted_ = false;
};

int Serve(const std::string& mode) {
  const int in = Descriptor("TARE_WORKLOAD_IN");
  Script script(mode, Descriptor("TARE_WORKLOAD_OUT"));
  script.Hello();
  std::string line;
  char c = 0;
  while (read(in, &c, 1) == 1) {
    if (c != '\n') {
      line.push_back(c);
      continue;
    }
    const Json message = Json::parse(line);
    line.clear();
    const std::string& name = message.begin().key();
    if (name == "setup") script.Setup(message.front());
    if (name == "measure") script.Measure(message.front());
    if (name == "collect") script.Collect();
    if (name == "bye") {
      script.Say("bye", Json::object());
      return 0;
    }
  }
  return 0;
}

}  // namespace
}  // namespace tare

int main(int argc, char** argv) { return tare::Serve(argc > 1 ? argv[1] : "ok"); }
