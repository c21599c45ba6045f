// Synthetic runs: a plan, healthy records and samples made by a model, to be spoiled by a test.

#ifndef TARE_TESTS_ANALYSIS_RUN_BUILDER_H_
#define TARE_TESTS_ANALYSIS_RUN_BUILDER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "coordinator/analysis/analysis.h"

namespace tare::coordinator {

struct RunShape {
  v1::Pairing pairing = v1::PAIRING_IN_PROCESS;
  v1::Order order = v1::ORDER_RANDOM;
  v1::Purpose purpose = v1::PURPOSE_ESTIMATE;
  int rounds = 10;
  int sets = 60;
  int warmup_sets = 4;
  int iterations = 1;
  bool has_control = true;
  int64_t known_delay_ns = 0;       // 0: no known-delay arm
  std::vector<int64_t> plans = {};  // levels of the factor "plans"; empty: one cell
  std::vector<std::string> subjects = {"copy", "rollback"};
  uint64_t seed = 1;
};

// What a model may look at. Arms by name: the subjects, "copy-control", "copy-delay".
struct SampleContext {
  int round = 0;
  int cell = 0;
  std::string arm;
  std::string previous;  // arm of the sample before; empty for the first
  bool is_first_in_set = false;
  bool is_warmup = false;
  Random* random = nullptr;
};

// The value of one sample without the known delay, which the builder adds, in ns.
using Model = std::function<double(const SampleContext&)>;

// Equal arms: 100 us, processes 10 us apart, samples with an sd of 2 us.
double EqualArms(const SampleContext& context);

// The same with `effect_ns` on the arm "rollback".
Model SlowerBy(double effect_ns);

// A complete run whose every check passes.
RunData MakeRun(const RunShape& shape, const Model& model);

// A measured file of tests/data as a run of the arms "baseline" and "candidate".
RunData RunFromPairs(const std::string& name, v1::Order order);

v1::Process* ProcessOf(TrialData* trial);
v1::ArmEvidence* EvidenceOf(TrialData* trial, const std::string& arm);

// Takes the last samples away, from blocks and record.
void DropSamples(TrialData* trial, int count);

}  // namespace tare::coordinator

#endif  // TARE_TESTS_ANALYSIS_RUN_BUILDER_H_
