#include "coordinator/import/pairs_file.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "coordinator/import/duration_unit.h"

namespace tare::coordinator {
namespace {

using Cells = std::vector<absl::string_view>;

// Quotes around a whole cell are taken off; a comma inside of them would still part it.
Cells SplitCells(absl::string_view line) {
  Cells cells = absl::StrSplit(line, ',');
  for (absl::string_view& cell : cells) {
    cell = absl::StripAsciiWhitespace(cell);
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
      cell = cell.substr(1, cell.size() - 2);
    }
  }
  return cells;
}

struct DurationColumn {
  std::string name;
  size_t index = 0;
  DurationUnit unit;
};

struct Columns {
  size_t count = 0;
  size_t process = 0;
  std::optional<size_t> first;
  DurationColumn baseline;
  DurationColumn candidate;
  std::optional<DurationColumn> applied;
};

std::optional<size_t> FindColumn(const Cells& header, absl::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<size_t>(found - header.begin());
}

std::optional<DurationColumn> FindDuration(const Cells& header, absl::string_view name) {
  for (const DurationUnit& unit : kDurationUnits) {
    const std::string column = absl::StrCat(name, "_", unit.name);
    if (const auto index = FindColumn(header, column)) return DurationColumn{column, *index, unit};
  }
  return std::nullopt;
}

// Nothing, with a complaint for each column that is missing.
std::optional<Columns> ReadHeader(const Cells& header, const FileLine& where,
                                  const PairedArms& arms, FileErrors* errors) {
  Columns columns;
  bool is_good = true;
  const auto complain = [&](absl::string_view what, absl::string_view accepted) {
    errors->Add(where, what, accepted);
    is_good = false;
  };
  const auto take_arm = [&](const std::string& arm, DurationColumn* column) {
    if (const auto found = FindDuration(header, arm)) {
      *column = *found;
    } else {
      complain(absl::StrCat("has no column for arm '", arm, "'"),
               absl::StrCat("'", arm, "_ns', '", arm, "_us' or '", arm,
                            "_ms'; other names by --baseline and --candidate"));
    }
  };
  columns.count = header.size();
  if (const auto process = FindColumn(header, "process")) {
    columns.process = *process;
  } else {
    complain("has no column 'process'", "the number of the process that took the pair");
  }
  columns.first = FindColumn(header, "first");
  take_arm(arms.baseline, &columns.baseline);
  take_arm(arms.candidate, &columns.candidate);
  columns.applied = FindDuration(header, "applied");
  if (!is_good) return std::nullopt;
  return columns;
}

// Takes the cells of one line; complains and goes on, so that a line's errors are all told.
class Line {
 public:
  // All must outlive it.
  Line(const Cells& cells, const FileLine& where, FileErrors* errors)
      : cells_(cells), where_(where), errors_(errors) {}

  bool is_good() const { return is_good_; }

  int32_t Process(size_t index) {
    int32_t process = 0;
    if (absl::SimpleAtoi(cells_[index], &process) && process >= 0) return process;
    Complain("process", index, absl::StrCat("a whole number from 0 to ", INT32_MAX));
    return 0;
  }

  int64_t Duration(const DurationColumn& column) {
    double value = 0;
    std::optional<int64_t> ns;
    if (absl::SimpleAtod(cells_[column.index], &value)) ns = ToNs(value, column.unit);
    if (!ns.has_value()) Complain(column.name, column.index, kSampleAccepted);
    return ns.value_or(0);
  }

  bool IsBaselineFirst(size_t index, const PairedArms& arms) {
    if (cells_[index] == arms.baseline) return true;
    if (cells_[index] != arms.candidate) {
      Complain("first", index, absl::StrCat("'", arms.baseline, "' or '", arms.candidate, "'"));
    }
    return false;
  }

 private:
  void Complain(absl::string_view column, size_t index, absl::string_view accepted) {
    constexpr size_t kShownBytesMax = 60;
    errors_->Add(where_,
                 absl::StrCat("'", column, "' is '", cells_[index].substr(0, kShownBytesMax), "'"),
                 accepted);
    is_good_ = false;
  }

  const Cells& cells_;
  const FileLine& where_;
  FileErrors* errors_;
  bool is_good_ = true;
};

std::optional<MeasuredPair> ReadPair(const Cells& cells, const Columns& columns,
                                     const PairedArms& arms, const FileLine& where,
                                     FileErrors* errors) {
  if (cells.size() != columns.count) {
    errors->Add(where, absl::StrCat("has ", cells.size(), " cells"),
                absl::StrCat(columns.count, ", as the first line has"));
    return std::nullopt;
  }
  Line line(cells, where, errors);
  MeasuredPair pair;
  pair.where = where;
  pair.process = line.Process(columns.process);
  if (columns.first) pair.is_baseline_first = line.IsBaselineFirst(*columns.first, arms);
  pair.baseline_ns = line.Duration(columns.baseline);
  pair.candidate_ns = line.Duration(columns.candidate);
  if (columns.applied) pair.applied_ns = line.Duration(*columns.applied);
  if (!line.is_good()) return std::nullopt;
  return pair;
}

}  // namespace

std::vector<MeasuredPair> ReadPairsFile(absl::string_view text, const std::string& file,
                                        const PairedArms& arms, FileErrors* errors) {
  std::vector<MeasuredPair> pairs;
  std::optional<Columns> columns;
  int64_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const FileLine where = {file, ++number};
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    const Cells cells = SplitCells(line);
    if (!columns.has_value()) {
      columns = ReadHeader(cells, where, arms, errors);
      if (!columns.has_value()) return {};
      continue;
    }
    if (auto pair = ReadPair(cells, *columns, arms, where, errors)) {
      pairs.push_back(*std::move(pair));
    }
  }
  return pairs;
}

}  // namespace tare::coordinator
