// Synthetic ladders: complete runs whose differences and applied delays are known.

#ifndef TARE_TESTS_ANALYSIS_LADDER_RUN_H_
#define TARE_TESTS_ANALYSIS_LADDER_RUN_H_

#include <cstdint>
#include <vector>

#include "tests/analysis/run_builder.h"

namespace tare::coordinator {

struct LadderShape {
  std::vector<int64_t> delays_ns = {0, 5'000, 25'000, 100'000, 500'000};
  int rounds_per_pass = 5;
  int passes = 2;
  int sets = 60;
  std::vector<v1::Order> studied = {};
  // What a delay costs of itself, and what it adds to the next sample.
  double response = 1;
  double carry_over = 0;
  double base_difference_ns = 0;  // on delayed samples, at every rung
  double process_spread_ns = 0;   // sd over processes of the difference
  double position_effect_ns = 0;  // of the second sample of a set
  uint64_t seed = 1;
};

// The arms "preview" and "delayed". Samples of 100 us with an sd of 2 us, processes 10 us apart.
RunData MakeLadderRun(const LadderShape& shape);

}  // namespace tare::coordinator

#endif  // TARE_TESTS_ANALYSIS_LADDER_RUN_H_
