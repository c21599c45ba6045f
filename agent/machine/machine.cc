// ReadMachine: what agent/machine/identity.h says about the machine itself.

#include <algorithm>
#include <array>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/machine/identity.h"
#include "agent/machine/sha256.h"
#include "base/files.h"

namespace tare::agent {
namespace {

// A small file without the white space around it; empty when it cannot be read.
std::string ReadTrimmed(const std::string& root, absl::string_view path) {
  const auto text = ReadFile(absl::StrCat(root, path));
  return text.ok() ? std::string(absl::StripAsciiWhitespace(*text)) : "";
}

// What follows `key` and the separator on the first line that starts with it.
std::string ValueOf(absl::string_view text, absl::string_view key, char separator) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> halves =
        absl::StrSplit(line, absl::MaxSplits(separator, 1));
    if (halves.size() == 2 && absl::StripAsciiWhitespace(halves[0]) == key) {
      return std::string(absl::StripAsciiWhitespace(halves[1]));
    }
  }
  return "";
}

std::string CpuModel(absl::string_view cpuinfo) {
  if (std::string name = ValueOf(cpuinfo, "model name", ':'); !name.empty()) return name;
  const std::string implementer =
      ValueOf(cpuinfo, "CPU implementer", ':');  // Arm has no names here
  if (implementer.empty()) return "";
  return absl::StrCat("implementer ", implementer, " part ", ValueOf(cpuinfo, "CPU part", ':'));
}

// CPUs in a list such as "0-3,6"; 0 when it is not one.
int CountCpus(absl::string_view list) {
  int count = 0;
  for (absl::string_view range : absl::StrSplit(list, ',')) {
    const std::vector<absl::string_view> ends = absl::StrSplit(range, '-');
    int first = 0;
    int last = 0;
    if (!absl::SimpleAtoi(ends.front(), &first) || !absl::SimpleAtoi(ends.back(), &last)) return 0;
    count += last - first + 1;
  }
  return count;
}

struct Hypervisor {
  absl::string_view sign;
  absl::string_view name;
};

// Hypervisors give themselves away by the clock they offer, or by the maker of the "hardware".
constexpr std::array<Hypervisor, 3> kClockSigns = {
    {{"kvm-clock", "kvm"}, {"hyperv", "hyper-v"}, {"xen", "xen"}}};
constexpr std::array<Hypervisor, 8> kMakerSigns = {{{"QEMU", "kvm"},
                                                    {"KVM", "kvm"},
                                                    {"Google", "kvm"},
                                                    {"Amazon EC2", "amazon"},
                                                    {"VMware", "vmware"},
                                                    {"innotek", "virtualbox"},
                                                    {"Xen", "xen"},
                                                    {"Parallels", "parallels"}}};

std::string Virtualization(const std::string& root, absl::string_view cpuinfo) {
  const std::string clocks =
      ReadTrimmed(root, "/sys/devices/system/clocksource/clocksource0/available_clocksource");
  for (const Hypervisor& hypervisor : kClockSigns) {
    if (absl::StrContains(clocks, hypervisor.sign)) return std::string(hypervisor.name);
  }
  const std::string flags = ValueOf(cpuinfo, "flags", ':');
  if (flags.empty()) return "";
  const std::vector<absl::string_view> words = absl::StrSplit(flags, ' ');
  if (std::find(words.begin(), words.end(), "hypervisor") == words.end()) return "none";
  const std::string maker = ReadTrimmed(root, "/sys/class/dmi/id/sys_vendor");
  for (const Hypervisor& hypervisor : kMakerSigns) {
    if (absl::StrContains(maker, hypervisor.sign)) return std::string(hypervisor.name);
  }
  return "other";
}

}  // namespace

v1::Machine ReadMachine(const std::string& root) {
  v1::Machine machine;
  machine.set_host(ReadTrimmed(root, "/proc/sys/kernel/hostname"));
  if (const std::string id = ReadTrimmed(root, "/etc/machine-id"); !id.empty()) {
    machine.set_machine_id(Sha256Hex(id));  // machine-id(5) asks not to give away the id itself
  }
  machine.set_kernel(ReadTrimmed(root, "/proc/sys/kernel/osrelease"));
  const std::string cpuinfo = ReadTrimmed(root, "/proc/cpuinfo");
  machine.set_cpu_model(CpuModel(cpuinfo));
  machine.set_cpus_count(CountCpus(ReadTrimmed(root, "/sys/devices/system/cpu/online")));
  const std::string meminfo = ReadTrimmed(root, "/proc/meminfo");
  int64_t memory_kib = 0;
  const std::string memory = ValueOf(meminfo, "MemTotal", ':');
  if (absl::SimpleAtoi(absl::StripSuffix(memory, " kB"), &memory_kib)) {
    machine.set_memory_bytes(memory_kib * 1024);
  }
  std::string os = ValueOf(ReadTrimmed(root, "/etc/os-release"), "PRETTY_NAME", '=');
  os.erase(std::remove(os.begin(), os.end(), '"'), os.end());
  machine.set_os(os);
  machine.set_clock_source(
      ReadTrimmed(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource"));
  machine.set_virtualization(Virtualization(root, cpuinfo));
  return machine;
}

}  // namespace tare::agent
