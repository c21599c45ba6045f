#include "coordinator/analysis/finding.h"

#include "absl/strings/str_cat.h"

namespace tare::coordinator {
namespace {

Finding MakeFinding(absl::string_view name, v1::CheckStatus status, absl::string_view text) {
  Finding finding;
  finding.check.set_name(std::string(name));
  finding.check.set_status(status);
  finding.check.set_text(std::string(text));
  return finding;
}

}  // namespace

Finding NotRun(absl::string_view name, absl::string_view why) {
  return MakeFinding(name, v1::CHECK_STATUS_NOT_RUN, why);
}

Finding Passed(absl::string_view name, absl::string_view text) {
  return MakeFinding(name, v1::CHECK_STATUS_PASSED, text);
}

v1::Refusal MakeRefusal(absl::string_view code, absl::string_view measured, absl::string_view limit,
                        absl::string_view advice) {
  v1::Refusal refusal;
  refusal.set_code(std::string(code));
  refusal.set_measured(std::string(measured));
  refusal.set_limit(std::string(limit));
  refusal.set_advice(std::string(advice));
  return refusal;
}

void Breaches::Add(absl::string_view measured, absl::string_view limit) {
  if (count_++ > 0) return;
  measured_ = std::string(measured);
  limit_ = std::string(limit);
}

Finding Breaches::Refuse(absl::string_view advice) const {
  const std::string measured =
      count_ == 1 ? measured_ : absl::StrCat(measured_, " (and ", count_ - 1, " more)");
  Finding finding = MakeFinding(name_, v1::CHECK_STATUS_REFUSED, measured);
  finding.refusal = MakeRefusal(name_, measured, limit_, advice);
  return finding;
}

}  // namespace tare::coordinator
