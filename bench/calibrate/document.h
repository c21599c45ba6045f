// docs/calibration-here.md: what a machine's own runs say of tare's error rates.

#ifndef TARE_BENCH_CALIBRATE_DOCUMENT_H_
#define TARE_BENCH_CALIBRATE_DOCUMENT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"

namespace tare::calibrate {

// Many runs of two equal arms.
struct Tally {
  std::string name;       // "tare-spin", "the release gate"
  std::string condition;  // "alone", "beside a neighbour"
  int64_t runs = 0;
  int64_t intervals = 0;  // that exist
  int64_t excluding = 0;  // of them, those that leave 0 out
  int64_t regressions = 0;
  int64_t improvements = 0;
  int64_t inconclusive = 0;
  int64_t passed = 0;
  std::map<std::string, int64_t> refusals = {};  // by the first code of a run

  void Add(const nlohmann::json& report);
  int64_t refused() const;
};

struct LadderRun {
  std::string name;
  std::string condition;
  nlohmann::json report;
};

struct Calibration {
  std::vector<Tally> tallies;
  std::vector<LadderRun> ladders;
  std::string date;  // "2026-12-01"
};

// Markdown. Machine and version are those of the runs.
std::string FormatDocument(const Calibration& calibration);

}  // namespace tare::calibrate

#endif  // TARE_BENCH_CALIBRATE_DOCUMENT_H_
