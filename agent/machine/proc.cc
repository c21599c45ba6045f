#include "agent/machine/proc.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/files.h"

namespace tare::agent {
namespace {

// Names of a directory's entries that are numbers: pids in /proc, thread ids in /proc/PID/task.
std::vector<pid_t> ReadNumberedEntries(const std::string& directory) {
  std::vector<pid_t> numbers;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    pid_t number = 0;
    if (!absl::SimpleAtoi(entry->path().filename().string(), &number)) continue;
    numbers.push_back(number);
    if (numbers.size() == kProcessesMax) break;
  }
  return numbers;
}

std::string ProcessPath(const std::string& root, pid_t pid, absl::string_view name) {
  return absl::StrCat(root, "/proc/", pid, "/", name);
}

// The number after "key<separators>" at the beginning of a line of `text`.
std::optional<int64_t> NumberOf(absl::string_view text, absl::string_view key) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::ConsumePrefix(&line, key)) continue;
    const size_t begin = line.find_first_not_of(" \t:");
    int64_t number = 0;
    if (begin != absl::string_view::npos && absl::SimpleAtoi(line.substr(begin), &number)) {
      return number;
    }
  }
  return std::nullopt;
}

void AddTo(std::optional<int64_t>& sum, std::optional<int64_t> value) {
  if (value.has_value()) sum = sum.value_or(0) + *value;
}

// Of one thread, from the first field of its schedstat.
std::optional<int64_t> ReadThreadCpuNs(const std::string& thread_directory) {
  const auto text = ReadFile(absl::StrCat(thread_directory, "/schedstat"));
  int64_t cpu_ns = 0;
  if (!text.ok() || !absl::SimpleAtoi(text->substr(0, text->find(' ')), &cpu_ns)) {
    return std::nullopt;
  }
  return cpu_ns;
}

void AddThread(const std::string& directory, ThreadTotals& totals) {
  AddTo(totals.cpu_ns, ReadThreadCpuNs(directory));
  if (const auto text = ReadFile(absl::StrCat(directory, "/sched")); text.ok()) {
    AddTo(totals.migrations, NumberOf(*text, "se.nr_migrations"));
  }
  if (const auto text = ReadFile(absl::StrCat(directory, "/status")); text.ok()) {
    AddTo(totals.switches_voluntary, NumberOf(*text, "voluntary_ctxt_switches"));
    AddTo(totals.switches_involuntary, NumberOf(*text, "nonvoluntary_ctxt_switches"));
  }
}

}  // namespace

std::optional<ProcessStat> ParseProcessStat(absl::string_view line) {
  // The name is in parentheses and may hold anything, parentheses and spaces included.
  const size_t open = line.find('(');
  const size_t close = line.rfind(')');
  if (open == absl::string_view::npos || close == absl::string_view::npos || close < open) {
    return std::nullopt;
  }
  ProcessStat stat;
  stat.name = std::string(line.substr(open + 1, close - open - 1));
  const std::vector<absl::string_view> fields =
      absl::StrSplit(line.substr(close + 1), ' ', absl::SkipEmpty());
  constexpr size_t kFirstField = 3;  // as proc(5) numbers the one after the name
  constexpr size_t kCpuField = 39;
  if (fields.size() <= kCpuField - kFirstField) return std::nullopt;
  bool is_number = absl::SimpleAtoi(line.substr(0, open), &stat.pid);
  const auto number = [&fields, &is_number](size_t field) {
    int64_t value = 0;
    is_number = absl::SimpleAtoi(fields[field - kFirstField], &value) && is_number;
    return value;
  };
  stat.faults_minor = number(10);
  stat.faults_major = number(12);
  stat.cpu_ticks = number(14) + number(15);
  stat.children_cpu_ticks = number(16) + number(17);
  stat.start_ticks = number(22);
  stat.cpu = static_cast<int>(number(kCpuField));
  if (!is_number) return std::nullopt;
  return stat;
}

std::optional<ProcessStat> ReadProcessStat(const std::string& root, pid_t pid) {
  const auto text = ReadFile(ProcessPath(root, pid, "stat"));
  if (!text.ok()) return std::nullopt;
  return ParseProcessStat(*text);
}

ThreadTotals ReadThreadTotals(const std::string& root, pid_t pid) {
  ThreadTotals totals;
  const std::string tasks = ProcessPath(root, pid, "task");
  for (const pid_t thread : ReadNumberedEntries(tasks)) {
    AddThread(absl::StrCat(tasks, "/", thread), totals);
  }
  return totals;
}

int64_t ProcessCpuNs(const ProcessStat& stat, const ThreadTotals& threads) {
  return std::max(stat.cpu_ticks * kTickNs, threads.cpu_ns.value_or(0));
}

std::vector<ProcessStat> ReadAllProcesses(const std::string& root) {
  std::vector<ProcessStat> processes;
  for (const pid_t pid : ReadNumberedEntries(absl::StrCat(root, "/proc"))) {
    if (auto stat = ReadProcessStat(root, pid)) processes.push_back(*std::move(stat));
  }
  return processes;
}

std::optional<std::vector<pid_t>> ReadProcessTrees(const std::string& root,
                                                   const std::vector<pid_t>& ancestors) {
  std::set<pid_t> members;
  std::vector<pid_t> to_visit = ancestors;
  bool are_children_listed = false;
  while (!to_visit.empty() && members.size() < kProcessesMax) {
    const pid_t pid = to_visit.back();
    to_visit.pop_back();
    const std::string tasks = ProcessPath(root, pid, "task");
    const std::vector<pid_t> threads = ReadNumberedEntries(tasks);
    if (threads.empty() || !members.insert(pid).second) continue;
    for (const pid_t thread : threads) {
      const auto text = ReadFile(absl::StrCat(tasks, "/", thread, "/children"));
      if (!text.ok()) continue;
      are_children_listed = true;
      for (absl::string_view word : absl::StrSplit(*text, ' ', absl::SkipWhitespace())) {
        pid_t child = 0;
        if (absl::SimpleAtoi(word, &child)) to_visit.push_back(child);
      }
    }
  }
  if (!members.empty() && !are_children_listed) return std::nullopt;
  return std::vector<pid_t>(members.begin(), members.end());
}

int64_t ReadCpuNs(const std::string& root, const std::vector<pid_t>& pids) {
  int64_t cpu_ns = 0;
  for (const pid_t pid : pids) {
    const auto stat = ReadProcessStat(root, pid);
    if (!stat.has_value()) continue;
    ThreadTotals threads;
    const std::string tasks = ProcessPath(root, pid, "task");
    for (const pid_t thread : ReadNumberedEntries(tasks)) {
      AddTo(threads.cpu_ns, ReadThreadCpuNs(absl::StrCat(tasks, "/", thread)));
    }
    cpu_ns += ProcessCpuNs(*stat, threads) + stat->children_cpu_ticks * kTickNs;
  }
  return cpu_ns;
}

}  // namespace tare::agent
