#include "agent/preflight/cpu_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/files.h"

namespace tare::agent {
namespace {

std::vector<int> ListCpus(const std::string& directory) {
  std::vector<int> cpus;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    absl::string_view number = name;
    int cpu = 0;
    if (!absl::ConsumePrefix(&number, "cpu") || !absl::SimpleAtoi(number, &cpu)) continue;
    cpus.push_back(cpu);
    if (cpus.size() == kCpusMax) break;
  }
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

}  // namespace

std::vector<CpuFile> ReadCpuFiles(const std::string& root, absl::string_view name) {
  const std::string directory = absl::StrCat(root, kCpuDirectory);
  std::vector<CpuFile> files;
  for (const int cpu : ListCpus(directory)) {
    const auto text = ReadFile(absl::StrCat(directory, "/cpu", cpu, "/", name));
    if (text.ok()) files.push_back({cpu, std::string(absl::StripAsciiWhitespace(*text))});
  }
  return files;
}

std::string FormatCpus(const std::vector<int>& cpus) {
  std::string text;
  for (size_t first = 0; first < cpus.size();) {
    size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    absl::StrAppend(&text, text.empty() ? "cpu" : ",", cpus[first]);
    if (last > first) absl::StrAppend(&text, "-", cpus[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace tare::agent
