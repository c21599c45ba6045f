// A program that tare can measure, in C++.
//
// Derive from Workload, give an instance to Main, and name the program in an experiment. The SDK
// speaks the workload protocol (docs/workload-protocol.md), times the operation, waits known delays
// and keeps the samples. A program whose samples overlap, or follow a schedule of their own,
// derives from ContinuousWorkload and times them itself. The SDK depends on the standard library
// alone in its headers.
//
// All calls come from the thread that called Main. Nothing may throw.
//
//   class Sort : public tare::sdk::Workload { … };
//   int main(int argc, char** argv) {
//     Sort sort;
//     return tare::sdk::Main(argc, argv, sort);
//   }

#ifndef TARE_WORKLOADS_SDK_CPP_WORKLOAD_H_
#define TARE_WORKLOADS_SDK_CPP_WORKLOAD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/sdk/cpp/config.h"
#include "workloads/sdk/cpp/error.h"
#include "workloads/sdk/cpp/steps.h"

namespace tare::sdk {

class Block;
struct BlockRequest;

// What `--help` prints.
struct About {
  std::string name;     // of the program
  std::string summary;  // what one operation does, one sentence
  std::string config;   // the settings, one a line, indented by two
};

struct Arm {
  std::string name;
  Config config;
  // Names of the services that this arm is to use, in order of preference; empty: all of them.
  std::vector<std::string> uses = {};
};

struct ServiceAddress {
  std::string name;
  std::string address;  // PostgreSQL: a libpq connection string; may hold a password
};

struct TrialSetup {
  std::vector<Arm> arms;
  std::vector<ServiceAddress> services;
  uint64_t seed = 0;        // governs every random choice of the workload
  int64_t samples_max = 0;  // of one block; for a continuous workload, of all there are
  // To be filled in: the names of the steps that operations report.
  std::vector<std::string> steps;
};

struct Operation {
  int arm = 0;        // index into TrialSetup::arms
  int64_t input = 0;  // selects the input; all arms of a set get the same one
  // False in warm-up and washout: the operation then adds nothing to the evidence.
  bool is_counted = false;
};

// What was done for one arm in counted operations. The SDK fills in `operations`.
struct Evidence {
  int64_t operations = 0;
  std::string checksum;  // proof of the result; arms of one comparison must have the same
  int64_t records = 0;   // rows, items or units that were really processed
  std::vector<std::pair<std::string, int64_t>> counters;
  // Digests that may differ between arms, which is then warned.
  std::vector<std::pair<std::string, std::string>> digests;
};

// What comes before and after the samples, whoever times them.
class AnyWorkload {
 public:
  virtual ~AnyWorkload() = default;

  virtual About about() const = 0;

  // Reads the config of every arm and makes all that the samples need, so that they touch nothing
  // for the first time. Called once.
  virtual std::optional<Error> Setup(TrialSetup& setup) = 0;

  // Completes the evidence, one entry an arm in the order of setup. Called once, at the end.
  virtual std::optional<Error> Collect(std::vector<Evidence>& evidence) = 0;
};

// One operation after the other, timed by the SDK.
class Workload : public AnyWorkload {
 public:
  // The timed operation. It must neither log nor wait for anything that is not measured.
  virtual std::optional<Error> Run(const Operation& operation, Steps& steps) = 0;
};

// All samples as one block, warm-up included, timed by the workload: a pause for the agent would
// break its schedule. There is neither washout nor iteration, and no known delay.
class ContinuousWorkload : public AnyWorkload {
 public:
  // Takes all samples of `request` and sets each in `block`. Those from `warmup_samples` on count
  // in the evidence. Between the first and the last it must neither log nor allocate.
  virtual std::optional<Error> RunBlock(const BlockRequest& request, Block& block) = 0;
};

// Serves one trial and returns the exit code: 0 when it ended as agreed, 1 when the workload
// reported an error, 64 when the program was started by hand or with arguments other than --help
// and
// --version. Descriptors of the protocol are close-on-exec before Setup is called.
int Main(int argc, char** argv, Workload& workload);
int Main(int argc, char** argv, ContinuousWorkload& workload);

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_WORKLOAD_H_
