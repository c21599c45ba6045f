#include "coordinator/import/import.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status.h"
#include "coordinator/import/pairs_file.h"
#include "coordinator/import/rounds_file.h"
#include "coordinator/import/run_of_pairs.h"
#include "coordinator/import/run_of_rounds.h"

namespace tare::coordinator {
namespace {

enum class Format { kRounds, kPairs };

// What some programs write before the first character of a text.
constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

absl::StatusOr<Format> FormatOf(const MeasuredFile& file) {
  absl::string_view text = absl::StripLeadingAsciiWhitespace(file.text);
  if (absl::StartsWith(text, "{")) return Format::kRounds;
  if (absl::StrContains(text.substr(0, text.find('\n')), ',')) return Format::kPairs;
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat(file.name, text.empty() ? ": is empty" : ":1: is in no known form"))
      .Detail("accepted: JSON lines of rounds, or CSV of pairs with the names of its columns first")
      .Try("see docs/analyze.md");
}

// The one format of all files.
absl::StatusOr<Format> FormatOfAll(const std::vector<MeasuredFile>& files) {
  ASSIGN_OR_RETURN(const Format format, FormatOf(files.front()));
  for (const MeasuredFile& file : files) {
    ASSIGN_OR_RETURN(const Format other, FormatOf(file));
    if (other == format) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(file.name, ": has ", other == Format::kPairs ? "pairs" : "rounds",
                                  " where '", files.front().name, "' has ",
                                  format == Format::kPairs ? "pairs" : "rounds"))
        .Try("analyse them one by one");
  }
  return format;
}

absl::Status NoLines(const MeasuredFile& file) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat(file.name, ": has no line with samples"));
}

}  // namespace

absl::StatusOr<RunData> Import(std::vector<MeasuredFile> files, const ImportOptions& options) {
  if (files.empty()) return absl::InvalidArgumentError("no file to analyse");
  for (MeasuredFile& file : files) {
    file.text = std::string(absl::StripPrefix(file.text, kByteOrderMark));
  }
  ASSIGN_OR_RETURN(const Format format, FormatOfAll(files));
  FileErrors errors;
  std::vector<MeasuredProcess> processes;
  std::vector<MeasuredPair> pairs;
  for (const MeasuredFile& file : files) {
    if (format == Format::kRounds) {
      const auto read = ReadRoundsFile(file.text, file.name, &errors);
      processes.insert(processes.end(), read.begin(), read.end());
    } else {
      const auto read =
          ReadPairsFile(file.text, file.name, {options.baseline, options.candidate}, &errors);
      pairs.insert(pairs.end(), read.begin(), read.end());
    }
  }
  RETURN_IF_ERROR(errors.ToStatus());
  if (processes.empty() && pairs.empty()) return NoLines(files.front());
  if (format == Format::kRounds) return MakeRunOfRounds(files, processes, options);
  if (options.control.has_value()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(files.front().name, ": pairs have no control arm"))
        .Try("leave out --control");
  }
  return MakeRunOfPairs(files, pairs, options);
}

}  // namespace tare::coordinator
