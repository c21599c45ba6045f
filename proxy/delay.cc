#include "proxy/delay.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/enum_word.h"
#include "base/files.h"
#include "base/status.h"
#include "base/units.h"

namespace tare::proxy {
namespace {

constexpr int64_t kTraceBytesMax = 256 << 20;

std::string WordOf(v1::DelayLaw law) {
  return YamlWord(v1::DelayLaw_descriptor()->FindValueByNumber(law));
}

bool HasSpread(v1::DelayLaw law) {
  return law == v1::DELAY_LAW_UNIFORM || law == v1::DELAY_LAW_NORMAL || law == v1::DELAY_LAW_PARETO;
}

absl::StatusOr<std::vector<int64_t>> ReadTrace(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kTraceBytesMax));
  std::vector<int64_t> values;
  int line_number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    const absl::StatusOr<int64_t> value_ns = ParseDurationNs(line);
    const std::string where = absl::StrCat(path, ":", line_number);
    if (!value_ns.ok()) return Annotate(value_ns.status(), where);
    if (*value_ns > kDelayMaxNs || values.size() == kTraceValuesMax) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat(where, ": a trace has at most ", kTraceValuesMax,
                                    " values of at most ", FormatDurationExact(kDelayMaxNs)));
    }
    values.push_back(*value_ns);
  }
  if (!values.empty()) return values;
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("trace '", path, "' has no values"))
      .Try("write one delay a line, as in 250us");
}

absl::Status Wrong(const std::string& what, absl::string_view action) {
  return MakeError(absl::StatusCode::kInvalidArgument, what).Try(action);
}

absl::Status CheckSpread(const v1::Proxy& asked, const std::string& law) {
  if (HasSpread(asked.law()) && asked.spread_ns() == 0) {
    return Wrong(absl::StrCat(law, " needs a spread"), "--spread 50us");
  }
  if (!HasSpread(asked.law()) && asked.spread_ns() > 0) {
    return Wrong(absl::StrCat(law, " has no spread"), "--law uniform, normal or pareto");
  }
  if (asked.law() == v1::DELAY_LAW_UNIFORM && asked.spread_ns() > asked.delay_ns()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     "a uniform law's spread is at most its delay")
        .Detail(absl::StrCat("spread ", FormatDurationExact(asked.spread_ns()), ", delay ",
                             FormatDurationExact(asked.delay_ns())));
  }
  if (asked.law() == v1::DELAY_LAW_PARETO && asked.delay_ns() == 0) {
    return Wrong(absl::StrCat(law, " needs a delay"), "--delay 1ms");
  }
  return absl::OkStatus();
}

absl::Status CheckTrace(const v1::Proxy& asked, const std::string& law) {
  const bool is_trace = asked.law() == v1::DELAY_LAW_TRACE;
  if (is_trace && !asked.has_trace()) {
    return Wrong(absl::StrCat(law, " needs a trace file"), "--trace FILE");
  }
  if (!is_trace && asked.has_trace()) {
    return Wrong(absl::StrCat(law, " has no trace file"), "--law trace");
  }
  if (is_trace && asked.delay_ns() != 0) {
    return Wrong(absl::StrCat(law, " takes its delays from the file, so it has no other"), "");
  }
  return absl::OkStatus();
}

absl::Status CheckProfile(const v1::Proxy& asked) {
  if (asked.delay_ns() > kDelayMaxNs || asked.spread_ns() > kDelayMaxNs) {
    return MakeError(
               absl::StatusCode::kInvalidArgument,
               absl::StrCat("delay and spread are at most ", FormatDurationExact(kDelayMaxNs)))
        .Detail(absl::StrCat("delay ", FormatDurationExact(asked.delay_ns()), ", spread ",
                             FormatDurationExact(asked.spread_ns())));
  }
  const std::string law = absl::StrCat("law ", WordOf(asked.law()));
  RETURN_IF_ERROR(CheckSpread(asked, law));
  return CheckTrace(asked, law);
}

std::string Describe(const v1::Proxy& asked, size_t trace_values) {
  std::string text = "no delay";
  if (asked.law() == v1::DELAY_LAW_TRACE) {
    text = absl::StrCat("trace of ", trace_values, " values");
  } else if (asked.delay_ns() > 0 || asked.spread_ns() > 0) {
    text = absl::StrCat(WordOf(asked.law()), " ", FormatDurationExact(asked.delay_ns()));
    if (asked.spread_ns() > 0) {
      absl::StrAppend(&text, " spread ", FormatDurationExact(asked.spread_ns()));
    }
  }
  if (text != "no delay") {
    absl::StrAppend(&text, " ",
                    YamlWord(v1::Direction_descriptor()->FindValueByNumber(asked.direction())));
  }
  if (asked.bytes_per_second() > 0) {
    absl::StrAppend(&text, ", ", asked.bytes_per_second(), " bytes/s");
  }
  return text;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Profile>> MakeProfile(v1::Proxy asked) {
  asked.clear_to();
  asked.set_delay_ns(asked.delay_ns());
  asked.set_spread_ns(asked.spread_ns());
  if (asked.law() == v1::DELAY_LAW_UNSPECIFIED) asked.set_law(v1::DELAY_LAW_FIXED);
  if (asked.direction() == v1::DIRECTION_UNSPECIFIED) {
    asked.set_direction(v1::DIRECTION_TO_CLIENT);
  }
  if (asked.record() == v1::RECORDING_UNSPECIFIED) asked.set_record(v1::RECORDING_SUMMARY);
  RETURN_IF_ERROR(CheckProfile(asked));
  auto profile = std::make_shared<Profile>();
  if (asked.has_trace()) {
    ASSIGN_OR_RETURN(profile->trace, ReadTrace(asked.trace()));
  }
  profile->words = Describe(asked, profile->trace.size());
  profile->asked = std::move(asked);
  return std::shared_ptr<const Profile>(std::move(profile));
}

DelaySource::DelaySource(const Profile* profile, bool is_on, uint64_t seed)
    : profile_(profile), is_on_(is_on), random_(seed) {
  const v1::Proxy& asked = profile->asked;
  if (asked.law() == v1::DELAY_LAW_PARETO) {
    const double mean = static_cast<double>(asked.delay_ns());
    const double shape =
        1 + std::sqrt(1 + std::pow(mean / static_cast<double>(asked.spread_ns()), 2));
    pareto_exponent_ = -1 / shape;
    pareto_scale_ns_ = mean * (shape - 1) / shape;
  }
  if (asked.law() == v1::DELAY_LAW_TRACE) trace_next_ = random_.Below(profile->trace.size());
}

int64_t DelaySource::Draw() {
  if (!is_on_) return 0;
  const v1::Proxy& asked = profile_->asked;
  const auto mean = static_cast<double>(asked.delay_ns());
  const auto spread = static_cast<double>(asked.spread_ns());
  double drawn = mean;
  switch (asked.law()) {
    case v1::DELAY_LAW_UNIFORM:
      drawn = mean - spread + 2 * spread * random_.Uniform();
      break;
    case v1::DELAY_LAW_NORMAL:
      drawn = mean + spread * random_.Normal();
      break;
    case v1::DELAY_LAW_PARETO:
      drawn = pareto_scale_ns_ * std::pow(1 - random_.Uniform(), pareto_exponent_);
      break;
    case v1::DELAY_LAW_TRACE: {
      const int64_t value_ns = profile_->trace[trace_next_];
      trace_next_ = (trace_next_ + 1) % profile_->trace.size();
      return value_ns;
    }
    default:
      return asked.delay_ns();
  }
  return std::clamp(static_cast<int64_t>(std::min(drawn, 1e18)), int64_t{0}, kDelayMaxNs);
}

}  // namespace tare::proxy
