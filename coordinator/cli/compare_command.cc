// `tare compare`: two command lines, one answer.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/units.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/run_experiment.h"
#include "coordinator/experiment/experiment.h"

namespace tare::coordinator {
namespace {

struct CompareOptions {
  std::string baseline;
  std::string candidate;
  std::string prepare;
  std::string timeout = "10min";
  std::string gates = "normal";
  int32_t rounds = 30;
  int32_t warmup = 0;
  bool uses_shell = false;
  RunRequest request;
};

void AddText(const std::string& name, const std::string& text,
             google::protobuf::RepeatedPtrField<v1::ConfigValue>* config) {
  v1::ConfigValue* value = config->Add();
  value->set_name(name);
  value->set_text(text);
}

v1::Gates GatesOf(const std::string& word) {
  if (word == "strict") return v1::GATES_STRICT;
  return word == "off" ? v1::GATES_OFF : v1::GATES_NORMAL;
}

v1::Experiment MakeExperiment(const CompareOptions& options, int64_t timeout_ns) {
  v1::Experiment experiment;
  experiment.set_name("compare");
  experiment.set_question("Is '" + options.candidate + "' slower or faster than '" +
                          options.baseline + "'?");
  experiment.set_purpose(v1::PURPOSE_GATE);
  experiment.set_gates(GatesOf(options.gates));
  v1::Workload* workload = experiment.mutable_workload();
  workload->add_command("tare-command");
  workload->set_timeout_ns(timeout_ns);
  v1::ConfigValue* shell = workload->add_config();
  shell->set_name("shell");
  shell->set_flag(options.uses_shell);
  if (!options.prepare.empty()) AddText("prepare", options.prepare, workload->mutable_config());
  for (const auto& [name, line] :
       {std::pair{"baseline", options.baseline}, std::pair{"candidate", options.candidate}}) {
    v1::Arm* arm = experiment.add_arms();
    arm->set_name(name);
    AddText("command", line, arm->mutable_config());
  }
  v1::Design* design = experiment.mutable_design();
  design->set_pairing(v1::PAIRING_ROUNDS);
  design->set_rounds(options.rounds);
  design->set_sets(1);
  design->set_warmup(options.warmup);
  ApplyDefaults(&experiment);
  return experiment;
}

int Compare(CompareOptions& options) {
  absl::StatusOr<int64_t> timeout_ns = ParseDurationNs(options.timeout);
  if (!timeout_ns.ok()) return Complain(Annotate(timeout_ns.status(), "--timeout"));
  options.request.experiment = MakeExperiment(options, *timeout_ns);
  return RunExperiment(options.request);
}

}  // namespace

void AddCompareCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("compare", "is the second command slower or faster than the first?");
  auto options = std::make_shared<CompareOptions>();
  command->add_option("baseline", options->baseline, "the command as it is")->required();
  command->add_option("candidate", options->candidate, "the command to judge")->required();
  command->add_option("--rounds", options->rounds, "each runs every command once, in random order")
      ->check(CLI::Range(3, 10000))
      ->capture_default_str();
  command->add_option("--warmup", options->warmup, "executions before each timed one")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--prepare", options->prepare, "a command before each execution, untimed");
  command->add_flag("--shell", options->uses_shell, "run the commands by /bin/sh");
  command->add_option("--timeout", options->timeout, "longest execution")->capture_default_str();
  command->add_option("--gates", options->gates, "normal, strict or off: see tare check")
      ->check(CLI::IsMember({"normal", "strict", "off"}))
      ->capture_default_str();
  command->add_option("--seed", options->request.seed, "governs the order");
  command->add_option("--json", options->request.json,
                      "also write the report to this file as JSON");
  AddStoreOption(*command, &options->request.store);
  command->footer(
      "Exit codes: 0 faster · 1 slower · 2 cannot tell · 3 refused\n"
      "Example: tare compare './sort-old in.txt' './sort-new in.txt'");
  command->callback([options, exit_code] { *exit_code = Compare(*options); });
}

}  // namespace tare::coordinator
