#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/units.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"

namespace tare::coordinator {
namespace {

constexpr int kHeadWidth = 10;
// Enough of a digest to tell two programs apart by eye; the JSON report has all of it.
constexpr size_t kDigestShown = 12;

void AddMachine(const v1::Machine& machine, Page* page) {
  page->Item(2, kHeadWidth, "machine",
             absl::StrCat(machine.host(), ", ", machine.cpu_model(), ", ", machine.cpus_count(),
                          " CPUs, ", FormatBytes(machine.memory_bytes()),
                          machine.virtualization().empty() ? "" : ", virtualization ",
                          machine.virtualization()));
  page->Item(2, kHeadWidth, "system",
             absl::StrCat(machine.os(), ", kernel ", machine.kernel(), ", clock source ",
                          machine.clock_source()));
}

void AddService(const v1::ServiceRecord& service, Page* page) {
  std::string text =
      absl::StrCat(service.kind(), " ", service.version(),
                   service.is_private() ? ", private" : ", existing server", ", empty query ");
  absl::StrAppend(&text, service.has_empty_round_trip_ns()
                             ? FormatDuration(static_cast<double>(service.empty_round_trip_ns()))
                             : "not run");
  page->Item(2, kHeadWidth, service.name(), text);
  std::vector<std::string> settings;
  for (const v1::Setting& setting : service.settings()) {
    settings.push_back(absl::StrCat(setting.name(), "=", setting.value()));
  }
  if (!settings.empty()) page->Item(2, kHeadWidth, "", absl::StrJoin(settings, ", "));
}

// How exactly a proxy did what it was asked, and at what price.
void AddProxy(const v1::ServiceRecord& service, const v1::ProxyReport& proxy, Page* page) {
  std::string text = absl::StrCat(service.kind(), " ", service.version(), ", ", proxy.direction());
  if (proxy.has_late_p50_ns()) {
    absl::StrAppend(&text, "; ", proxy.releases(), " delays, late by ",
                    FormatDuration(proxy.late_p50_ns()), " (p99 ",
                    FormatOne(NumberIf(proxy.has_late_p99_ns(), proxy.late_p99_ns())), ")");
  }
  if (proxy.has_polling_share()) {
    absl::StrAppend(&text, "; polling took ", FormatShare(proxy.polling_share()), " of a CPU");
  }
  page->Item(2, kHeadWidth, service.name(), text);
}

const v1::ProxyReport* FindProxy(const v1::Report& report, const std::string& service) {
  for (const v1::ProxyReport& proxy : report.proxies()) {
    if (proxy.service() == service) return &proxy;
  }
  return nullptr;
}

void AddProgram(const v1::Process& program, Page* page) {
  std::vector<std::string> parts = {
      program.program_path(),
      absl::StrCat("sha256 ", program.program_sha256().substr(0, kDigestShown))};
  if (!program.harness().empty()) parts.push_back(program.harness());
  if (!program.runtime().empty()) parts.push_back(program.runtime());
  if (program.has_clock_tick_ns()) {
    parts.push_back(
        absl::StrCat("clock tick ", FormatDuration(static_cast<double>(program.clock_tick_ns()))));
  }
  page->Item(2, kHeadWidth, program.role().empty() ? "program" : program.role(),
             absl::StrJoin(parts, ", "));
}

}  // namespace

void AddConditions(const v1::Report& report, Page* page) {
  if (report.machines().empty() && report.services().empty() && report.programs().empty()) return;
  page->Heading("Conditions");
  for (const v1::Machine& machine : report.machines()) AddMachine(machine, page);
  for (const v1::ServiceRecord& service : report.services()) {
    const v1::ProxyReport* proxy = FindProxy(report, service.name());
    if (proxy != nullptr) {
      AddProxy(service, *proxy, page);
    } else {
      AddService(service, page);
    }
  }
  for (const v1::Process& program : report.programs()) AddProgram(program, page);
}

}  // namespace tare::coordinator
