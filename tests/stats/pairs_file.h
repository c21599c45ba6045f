// The measured pairs in tests/data/pairs_*.csv: ten processes of 300 pairs each.

#ifndef TARE_TESTS_STATS_PAIRS_FILE_H_
#define TARE_TESTS_STATS_PAIRS_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tare {

struct MeasuredPair {
  bool is_baseline_first = false;
  int64_t baseline_ns = 0;
  int64_t candidate_ns = 0;
  int64_t applied_ns = 0;
};

// By process, in the order of measurement. Aborts the test program when the file cannot be read.
std::vector<std::vector<MeasuredPair>> ReadPairs(const std::string& name);

}  // namespace tare

#endif  // TARE_TESTS_STATS_PAIRS_FILE_H_
