#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

constexpr int kHeadWidth = 8;  // "counting", "distance"
constexpr int kIndent = 4;

std::string NameOf(const v1::RoundTrips& entry) {
  return absl::StrCat(entry.arm(), " through ", entry.service(), entry.has_cell() ? ", " : "",
                      entry.cell());
}

// One scale for all columns, since a reader adds and subtracts along the row.
void AddLevels(const v1::RoundTrips& entry, Page* page) {
  std::vector<std::optional<double>> asked, applied, latencies, all;
  std::vector<std::string> processes;
  for (const v1::RoundTripsLevel& level : entry.levels()) {
    asked.push_back(static_cast<double>(level.asked_ns()));
    applied.push_back(NumberIf(level.has_applied_ns(), level.applied_ns()));
    latencies.push_back(NumberIf(level.has_latency_ns(), level.latency_ns()));
    processes.push_back(absl::StrCat(level.processes()));
  }
  for (const auto* column : {&asked, &applied, &latencies}) {
    all.insert(all.end(), column->begin(), column->end());
  }
  const Scale scale = Scale::ForDurations(all);
  Table table;
  AddDurations("asked", asked, scale, &table);
  AddDurations("applied", applied, scale, &table);
  AddDurations("latency", latencies, scale, &table);
  table.Column("units", Align::kRight, std::move(processes));
  table.Print(2, page);
}

void AddCounts(const v1::RoundTrips& entry, Page* page) {
  std::vector<std::string> parts;
  const auto add = [&parts](bool is_present, double value, absl::string_view name) {
    if (is_present) parts.push_back(absl::StrCat(fmt::format("{:.3f} ", value), name));
  };
  add(entry.has_turns_per_operation(), entry.turns_per_operation(), "turns");
  add(entry.has_client_writes_per_operation(), entry.client_writes_per_operation(),
      "client writes");
  add(entry.has_postgres_round_trips_per_operation(), entry.postgres_round_trips_per_operation(),
      "PostgreSQL round trips");
  page->Item(kIndent, kHeadWidth, "counting",
             parts.empty() ? "not run" : absl::StrCat(absl::StrJoin(parts, ", "), " an operation"));
}

void AddSlope(const v1::RoundTrips& entry, Page* page) {
  std::string text = "not run";
  if (entry.has_slope()) text = fmt::format("{:.3f}", entry.slope());
  if (entry.has_slope_low() && entry.has_slope_high()) {
    absl::StrAppend(&text,
                    fmt::format(" [{:.3f}, {:.3f}] (95 %)", entry.slope_low(), entry.slope_high()));
  } else if (entry.has_slope()) {
    absl::StrAppend(&text, ", no interval");
  }
  page->Item(kIndent, kHeadWidth, "slope", text);
}

void AddCost(const v1::RoundTrips& entry, Page* page) {
  if (!entry.has_proxy_cost()) return;
  const Range cost = RangeOf(entry.proxy_cost());
  std::string text = FormatOne(cost.value);
  if (cost.low && cost.high) {
    absl::StrAppend(&text, " [", FormatOne(cost.low), ", ", FormatOne(cost.high), "]");
  }
  page->Item(kIndent, kHeadWidth, "proxy",
             absl::StrCat(text, " an operation more than without it, at a delay of 0"));
}

Color ColorOfStatus(v1::CheckStatus status) {
  switch (status) {
    case v1::CHECK_STATUS_PASSED:
      return Color::kGreen;
    case v1::CHECK_STATUS_WARNED:
      return Color::kYellow;
    case v1::CHECK_STATUS_REFUSED:
      return Color::kRed;
    default:
      return Color::kNone;
  }
}

}  // namespace

void AddRoundTrips(const v1::Report& report, Page* page) {
  constexpr int kStatusWidth = 7;  // "refused"
  for (const v1::RoundTrips& entry : report.round_trips()) {
    page->Heading(absl::StrCat("Round trips: ", NameOf(entry)));
    AddLevels(entry, page);
    page->Item(2, kStatusWidth, StatusWord(entry.status()), entry.text(),
               ColorOfStatus(entry.status()));
    AddCounts(entry, page);
    AddSlope(entry, page);
    if (entry.has_distance()) {
      page->Item(kIndent, kHeadWidth, "distance", entry.distance().text());
    }
    AddCost(entry, page);
  }
}

}  // namespace tare::coordinator
