// Rules about what may include what.

#include <array>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "tests/style/rules.h"

namespace tare::style {
namespace {

using Prefixes = std::vector<absl::string_view>;

// What files below `folder` may include of ours, beside files of that folder. The first row that
// fits counts. "tare/v1/" is the generated code of proto/.
struct IncludeRow {
  absl::string_view folder;
  Prefixes allowed;
};

const std::vector<IncludeRow>& IncludeTable() {
  static const std::vector<IncludeRow>* const kTable = new std::vector<IncludeRow>{
      {"base/", {}},
      {"stats/", {"base/"}},
      {"agent/", {"base/", "tare/v1/"}},
      {"proxy/", {"base/", "tare/v1/"}},
      {"coordinator/experiment/", {"base/", "tare/v1/"}},
      {"coordinator/plan/", {"base/", "stats/", "tare/v1/"}},
      {"coordinator/store/", {"base/", "tare/v1/"}},
      {"coordinator/dispatch/", {"base/", "tare/v1/"}},
      {"coordinator/analysis/", {"base/", "stats/", "tare/v1/"}},
      {"coordinator/report/", {"base/", "tare/v1/"}},
      {"coordinator/import/", {"base/", "coordinator/analysis/analysis.h", "tare/v1/"}},
      {"coordinator/", {"base/", "tare/v1/"}},  // cli and lab join the others
      {"workloads/", {"base/unique_fd.h", "base/version.h"}},
      {"bench/",
       {"base/", "stats/", "agent/", "proxy/", "coordinator/", "workloads/", "tare/v1/", "tests/"}},
      {"tests/", {"base/", "stats/", "agent/", "proxy/", "coordinator/", "workloads/", "tare/v1/"}},
  };
  return *kTable;
}

constexpr std::array<absl::string_view, 9> kOurs = {"agent/",       "base/",  "bench/",
                                                    "coordinator/", "proxy/", "stats/",
                                                    "tare/v1/",     "tests/", "workloads/"};

// Headers that carry a dependency stay where it is meant to be.
struct ForeignRow {
  absl::string_view header;
  Prefixes places;
};

const std::vector<ForeignRow>& ForeignTable() {
  static const std::vector<ForeignRow>* const kTable = new std::vector<ForeignRow>{
      {"sqlite3.h", {"coordinator/store/", "workloads/", "tests/"}},
      {"pqxx/", {"agent/services/", "coordinator/store/", "workloads/", "tests/"}},
      {"grpcpp/", {"agent/", "coordinator/dispatch/", "coordinator/cli/", "tests/"}},
      {"boost/asio", {"agent/", "coordinator/lab/", "workloads/", "tests/"}},
      {"boost/beast", {"agent/", "coordinator/lab/", "workloads/", "tests/"}},
      {"prometheus/", {"agent/", "coordinator/lab/", "tests/"}},
  };
  return *kTable;
}

bool StartsWithAny(absl::string_view text, const Prefixes& prefixes) {
  return absl::c_any_of(prefixes,
                        [text](absl::string_view p) { return absl::StartsWith(text, p); });
}

// What is between the quotes or brackets of an include line, else empty.
absl::string_view IncludeOf(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, "#include ") || line.empty()) return "";
  const char close = line[0] == '<' ? '>' : line[0] == '"' ? '"' : '\0';
  line.remove_prefix(1);
  const size_t end = line.find(close);
  return end == absl::string_view::npos ? "" : line.substr(0, end);
}

}  // namespace

Violations CheckIncludes(const SourceFile& file) {
  Violations violations;
  if (!file.IsCpp()) return violations;
  const auto row = absl::c_find_if(IncludeTable(), [&file](const IncludeRow& candidate) {
    return absl::StartsWith(file.path, candidate.folder);
  });
  if (row == IncludeTable().end()) return {file.At(0, "is in no folder of the include table")};
  // A folder such as workloads/spin may include itself and the SDK, and not its siblings.
  Prefixes allowed = row->allowed;
  const std::string own_folder = absl::StrCat(file.Folder(), "/");
  if (row->folder == "workloads/") {
    allowed.push_back(own_folder);
    allowed.push_back("workloads/sdk/");
  } else {
    allowed.push_back(row->folder);
  }
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const absl::string_view include = IncludeOf(file.lines[i]);
    if (!absl::c_any_of(kOurs, [&](auto ours) { return absl::StartsWith(include, ours); }))
      continue;
    if (StartsWithAny(include, allowed)) continue;
    violations.push_back(
        file.At(i, absl::StrCat("includes '", include, "'; files of ", row->folder,
                                " may include of ours only ", absl::StrJoin(allowed, ", "))));
  }
  return violations;
}

Violations CheckForeignHeaders(const SourceFile& file) {
  Violations violations;
  if (!file.IsCpp()) return violations;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const absl::string_view include = IncludeOf(file.lines[i]);
    for (const ForeignRow& row : ForeignTable()) {
      if (!absl::StartsWith(include, row.header)) continue;
      if (!file.IsHeader() && StartsWithAny(file.path, row.places)) continue;
      violations.push_back(file.At(i, absl::StrCat("includes '", include, "'; only .cc files of ",
                                                   absl::StrJoin(row.places, ", "), " may")));
    }
  }
  return violations;
}

}  // namespace tare::style
