#include "workloads/command/command.h"

#include <algorithm>
#include <cstdio>

#include "workloads/command/words.h"
#include "workloads/sdk/cpp/clock.h"

namespace tare::command {
namespace {

enum Step { kUser, kSystem };

using TextOrList = std::variant<std::string, std::vector<std::string>>;

// The program that a setting names: a list of words, a text to split, or a text for the shell.
std::variant<sdk::Error, Program> ToProgram(const TextOrList& value, bool has_shell) {
  const auto* text = std::get_if<std::string>(&value);
  if (has_shell) {
    if (text == nullptr) return sdk::Error{"with 'shell: true' it must be one text", "", ""};
    return Program{"/bin/sh", {"sh", "-c", *text}};
  }
  if (text == nullptr) return FindProgram(std::get<std::vector<std::string>>(value));
  auto words = SplitWords(*text);
  if (auto* error = std::get_if<sdk::Error>(&words)) return std::move(*error);
  return FindProgram(std::get<std::vector<std::string>>(std::move(words)));
}

bool IsEmpty(const TextOrList& value) {
  return std::visit([](const auto& content) { return content.empty(); }, value);
}

std::optional<sdk::Error> Execute(const Program& program, Outcome* outcome) {
  Execution execution;
  if (auto error = execution.Open()) return error;
  if (auto error = execution.Start(program)) return error;
  if (auto error = execution.AwaitExit()) return error;
  return execution.Finish(program, outcome);
}

}  // namespace

sdk::About Command::about() const {
  return {"tare-command", "executes a command line and waits for its exit",
          "  command  program and arguments: a list, or a text that is split at white space\n"
          "  prepare  a command to execute before each execution, not timed; default: none\n"
          "  shell    true: give both to /bin/sh -c as they are; default false\n"};
}

std::optional<sdk::Error> Command::Setup(sdk::TrialSetup& setup) {
  setup.steps = {"user", "system"};
  for (sdk::Arm& arm : setup.arms) {
    if (auto error = AddArm(arm)) return error;
  }
  return MeasureSpawn();
}

std::optional<sdk::Error> Command::AddArm(sdk::Arm& arm) {
  const bool has_shell = arm.config.Flag("shell", false);
  const TextOrList command = arm.config.TextOrList("command");
  const TextOrList prepare = arm.config.TextOrList("prepare");
  if (arm.config.error().has_value()) return arm.config.error();
  if (IsEmpty(command)) return sdk::Error{"arm '" + arm.name + "': 'command' is missing", "", ""};
  CommandArm added;
  const auto find = [&](const TextOrList& value, const char* name,
                        Program* program) -> std::optional<sdk::Error> {
    auto found = ToProgram(value, has_shell);
    if (auto* error = std::get_if<sdk::Error>(&found)) {
      error->message = "arm '" + arm.name + "': " + name + ": " + error->message;
      return std::move(*error);
    }
    *program = std::get<Program>(std::move(found));
    return std::nullopt;
  };
  if (auto error = find(command, "command", &added.command)) return error;
  if (!IsEmpty(prepare)) {
    if (auto error = find(prepare, "prepare", &added.prepare.emplace())) return error;
  }
  arms_.push_back(std::move(added));
  return std::nullopt;
}

std::optional<sdk::Error> Command::MeasureSpawn() {
  auto least = FindProgram({"true"});
  if (auto* error = std::get_if<sdk::Error>(&least)) return std::move(*error);
  constexpr int kTries = 11;
  std::vector<int64_t> costs_ns;
  for (int i = 0; i < kTries; ++i) {
    Execution execution;
    Outcome outcome;
    if (auto error = execution.Open()) return error;
    const int64_t start_ns = sdk::ClockNs();
    if (auto error = execution.Start(std::get<Program>(least))) return error;
    if (auto error = execution.AwaitExit()) return error;
    costs_ns.push_back(sdk::ClockNs() - start_ns);
    if (auto error = execution.Finish(std::get<Program>(least), &outcome)) return error;
    memory_floor_bytes_ = std::max(memory_floor_bytes_, outcome.memory_peak_bytes);
  }
  std::nth_element(costs_ns.begin(), costs_ns.begin() + kTries / 2, costs_ns.end());
  spawn_cost_ns_ = costs_ns[kTries / 2];
  return std::nullopt;
}

std::optional<sdk::Error> Command::Run(const sdk::Operation& operation, sdk::Steps& steps) {
  CommandArm& arm = arms_[static_cast<size_t>(operation.arm)];
  Outcome outcome;
  if (arm.prepare.has_value()) {
    if (auto error = Execute(*arm.prepare, &outcome)) return error;
  }
  Execution execution;
  if (auto error = execution.Open()) return error;
  steps.Skip();
  if (auto error = execution.Start(arm.command)) return error;
  if (auto error = execution.AwaitExit()) return error;
  steps.Mark();
  if (auto error = execution.Finish(arm.command, &outcome)) return error;
  steps.Add(kUser, outcome.user_ns);
  steps.Add(kSystem, outcome.system_ns);
  if (operation.is_counted) {
    ++arm.executions;
    arm.memory_peak_bytes = std::max(arm.memory_peak_bytes, outcome.memory_peak_bytes);
    const uint64_t first = arm.stdout_digest.value_or(outcome.stdout_digest);
    arm.stdout_digest = first;
    arm.has_one_stdout = arm.has_one_stdout && first == outcome.stdout_digest;
  }
  steps.Skip();
  return std::nullopt;
}

std::optional<sdk::Error> Command::Collect(std::vector<sdk::Evidence>& evidence) {
  for (size_t i = 0; i < arms_.size(); ++i) {
    const CommandArm& arm = arms_[i];
    if (arm.executions == 0) continue;
    char digest[17];
    std::snprintf(digest, sizeof digest, "%016llx",
                  static_cast<unsigned long long>(*arm.stdout_digest));
    evidence[i].checksum = "exit 0";
    evidence[i].records = arm.executions;
    evidence[i].counters = {{"memory_peak_bytes", arm.memory_peak_bytes},
                            {"memory_floor_bytes", memory_floor_bytes_},
                            {"spawn_cost_ns", spawn_cost_ns_}};
    evidence[i].digests = {{"stdout", arm.has_one_stdout ? digest : "differs between executions"}};
  }
  return std::nullopt;
}

}  // namespace tare::command
