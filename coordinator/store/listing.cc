#include "coordinator/store/listing.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace tare::coordinator {
namespace {

constexpr size_t kColumns = 6;
using Line = std::array<std::string, kColumns>;

constexpr size_t kFirstNumber = 4;  // This column and those after it are aligned to the right.

// Of text in UTF-8: code points, for alignment.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

std::string FormatRunTable(const std::vector<RunSummary>& runs) {
  std::vector<Line> lines = {{"run", "experiment", "started (UTC)", "state", "trials", "samples"}};
  for (const RunSummary& run : runs) {
    const absl::Time created = absl::FromUnixNanos(run.created_unix_ns);
    lines.push_back({run.run, run.name,
                     absl::FormatTime("%Y-%m-%d %H:%M:%S", created, absl::UTCTimeZone()),
                     std::string(RunStateName(run.state)),
                     absl::StrCat(run.trials_counted, "/", run.trials_planned),
                     absl::StrCat(run.samples_count)});
  }
  std::array<size_t, kColumns> widths = {};
  for (const Line& line : lines) {
    for (size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], Width(line[i]));
  }
  std::string text;
  for (const Line& line : lines) {
    for (size_t i = 0; i < kColumns; ++i) {
      const std::string padding(widths[i] - Width(line[i]), ' ');
      const bool is_number = i >= kFirstNumber;
      absl::StrAppend(&text, i > 0 ? "  " : "", is_number ? padding : "", line[i],
                      is_number ? "" : padding);
    }
    absl::StrAppend(&text, "\n");
  }
  return text;
}

std::string FormatRunJson(const std::vector<RunSummary>& runs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RunSummary& run : runs) {
    list.push_back({{"run", run.run},
                    {"name", run.name},
                    {"created_unix_ns", run.created_unix_ns},
                    {"state", std::string(RunStateName(run.state))},
                    {"trials_planned", run.trials_planned},
                    {"trials_counted", run.trials_counted},
                    {"samples_count", run.samples_count}});
  }
  const nlohmann::ordered_json document = {{"runs", list}};
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tare::coordinator
