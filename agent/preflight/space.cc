// Rules about memory and disk.

#include <sys/statvfs.h>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/preflight/rules.h"
#include "base/files.h"

namespace tare::agent {
namespace {

constexpr double kMiB = 1 << 20;

// A line of /proc/meminfo ("MemAvailable:  812344 kB") in MiB.
std::optional<double> ReadMemoryMiB(const std::string& root, absl::string_view key) {
  const auto text = ReadFile(absl::StrCat(root, "/proc/meminfo"));
  if (!text.ok()) return std::nullopt;
  for (absl::string_view line : absl::StrSplit(*text, '\n')) {
    int64_t kib = 0;
    if (absl::ConsumePrefix(&line, key) && absl::ConsumePrefix(&line, ":") &&
        absl::ConsumeSuffix(&line, " kB") && absl::SimpleAtoi(line, &kib)) {
      return static_cast<double>(kib) / 1024;
    }
  }
  return std::nullopt;
}

}  // namespace

Finding LookAtSwap(const Look& look, double limit) {
  const auto in = Difference(look.earlier.pages_swapped_in, look.now.pages_swapped_in);
  const auto out = Difference(look.earlier.pages_swapped_out, look.now.pages_swapped_out);
  if (!in.has_value() || !out.has_value()) {
    return Finding::NotRun("/proc/vmstat has no count of swapped pages");
  }
  const double used = ReadMemoryMiB(look.root, "SwapTotal").value_or(0) -
                      ReadMemoryMiB(look.root, "SwapFree").value_or(0);
  return Finding::AtMost(
      limit, static_cast<double>(*in + *out),
      absl::StrFormat("%d pages in, %d pages out, %.0f MiB in use", *in, *out, used));
}

Finding LookAtDisk(const Look& look, double limit) {
  struct statvfs disk = {};
  if (statvfs(look.data_directory.c_str(), &disk) != 0) {
    return Finding::NotRun(absl::StrCat(look.data_directory, " cannot be looked at"));
  }
  const double free_bytes = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  return Finding::AtLeast(limit, free_bytes / kMiB,
                          absl::StrCat("what fills the disk of ", look.data_directory));
}

Finding LookAtMemory(const Look& look, double limit) {
  const auto available = ReadMemoryMiB(look.root, "MemAvailable");
  if (!available.has_value()) return Finding::NotRun("/proc/meminfo has no MemAvailable");
  return Finding::AtLeast(limit, *available, "programs that hold the memory");
}

}  // namespace tare::agent
