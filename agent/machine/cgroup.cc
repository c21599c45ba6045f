#include "agent/machine/cgroup.h"

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/files.h"

namespace tare::agent {
namespace {

// A mounted hierarchy in which CPU time is limited.
struct Hierarchy {
  bool is_version_2 = false;
  std::string top;    // group that is seen at the mount point: not "/" in most containers
  std::string point;  // mount point
};

bool HasCpu(absl::string_view list) {
  return absl::c_linear_search(std::vector<absl::string_view>(absl::StrSplit(list, ',')), "cpu");
}

// From /proc/self/mountinfo: "id parent dev top point options… - type source superoptions".
std::vector<Hierarchy> ParseHierarchies(absl::string_view mountinfo) {
  std::vector<Hierarchy> hierarchies;
  for (absl::string_view line : absl::StrSplit(mountinfo, '\n')) {
    const std::vector<absl::string_view> halves = absl::StrSplit(line, absl::MaxSplits(" - ", 1));
    if (halves.size() != 2) continue;
    const std::vector<absl::string_view> mount = absl::StrSplit(halves[0], ' ');
    const std::vector<absl::string_view> type = absl::StrSplit(halves[1], ' ');
    if (mount.size() < 5 || type.size() < 3) continue;
    const bool is_version_2 = type[0] == "cgroup2";
    if (!is_version_2 && (type[0] != "cgroup" || !HasCpu(type[2]))) continue;
    hierarchies.push_back({is_version_2, std::string(mount[3]), std::string(mount[4])});
  }
  return hierarchies;
}

// Our group in the hierarchy, from /proc/self/cgroup: "id:controllers:group".
std::string GroupIn(const Hierarchy& hierarchy, absl::string_view cgroup) {
  for (absl::string_view line : absl::StrSplit(cgroup, '\n')) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (fields.size() != 3) continue;
    if (hierarchy.is_version_2 ? fields[0] == "0" && fields[1].empty() : HasCpu(fields[1])) {
      return std::string(fields[2]);
    }
  }
  return "";
}

std::optional<int64_t> ParseThrottledNs(absl::string_view cpu_stat) {
  for (absl::string_view line : absl::StrSplit(cpu_stat, '\n')) {
    int64_t scale = 0;
    if (absl::ConsumePrefix(&line, "throttled_time ")) {
      scale = 1;
    } else if (absl::ConsumePrefix(&line, "throttled_usec ")) {
      scale = 1'000;
    }
    int64_t value = 0;
    if (scale != 0 && absl::SimpleAtoi(line, &value)) return value * scale;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> FindThrottleFiles(const std::string& root) {
  std::vector<std::string> files;
  const auto mountinfo = ReadFile(absl::StrCat(root, "/proc/self/mountinfo"));
  const auto cgroup = ReadFile(absl::StrCat(root, "/proc/self/cgroup"));
  if (!mountinfo.ok() || !cgroup.ok()) return files;
  for (const Hierarchy& hierarchy : ParseHierarchies(*mountinfo)) {
    const std::string our_group = GroupIn(hierarchy, *cgroup);
    absl::string_view group = our_group;
    if (hierarchy.top != "/") absl::ConsumePrefix(&group, hierarchy.top);
    absl::ConsumeSuffix(&group, "/");
    while (true) {
      files.push_back(absl::StrCat(root, hierarchy.point, group, "/cpu.stat"));
      if (group.empty()) break;
      group = group.substr(0, group.rfind('/'));
    }
  }
  return files;
}

std::optional<int64_t> ReadThrottledNs(const std::vector<std::string>& throttle_files) {
  std::optional<int64_t> total_ns;
  for (const std::string& path : throttle_files) {
    const auto text = ReadFile(path);
    if (!text.ok()) continue;
    if (const auto ns = ParseThrottledNs(*text)) total_ns = total_ns.value_or(0) + *ns;
  }
  return total_ns;
}

}  // namespace tare::agent
