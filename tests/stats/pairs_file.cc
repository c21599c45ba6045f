#include "tests/stats/pairs_file.h"

#include <cstdlib>
#include <iostream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"
#include "base/status.h"

namespace tare {
namespace {

[[noreturn]] void Abort(const std::string& what) {
  std::cerr << what << "\n";
  std::abort();
}

}  // namespace

std::vector<std::vector<MeasuredPair>> ReadPairs(const std::string& name) {
  const char* source = std::getenv("TARE_SOURCE");
  if (source == nullptr) Abort("TARE_SOURCE is not set; run through ctest");
  const absl::StatusOr<std::string> text =
      ReadFile(absl::StrCat(source, "/tests/data/pairs_", name, ".csv"));
  if (!text.ok()) Abort(FormatError(text.status()));
  std::vector<std::vector<MeasuredPair>> processes;
  bool is_header = true;
  for (absl::string_view line : absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
    if (is_header) {
      is_header = false;
      continue;
    }
    const std::vector<absl::string_view> cells = absl::StrSplit(line, ',');
    size_t process = 0;
    MeasuredPair pair;
    if (cells.size() != 6 || !absl::SimpleAtoi(cells[0], &process) ||
        !absl::SimpleAtoi(cells[3], &pair.baseline_ns) ||
        !absl::SimpleAtoi(cells[4], &pair.candidate_ns) ||
        !absl::SimpleAtoi(cells[5], &pair.applied_ns)) {
      Abort(absl::StrCat("not a pair: ", line));
    }
    pair.is_baseline_first = cells[2] == "baseline";
    if (process >= processes.size()) processes.resize(process + 1);
    processes[process].push_back(pair);
  }
  return processes;
}

}  // namespace tare
