#include "coordinator/experiment/proxy_delay.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/experiment/spelling.h"
#include "coordinator/experiment/violations.h"
#include "tare/v1/rule.pb.h"

namespace tare::coordinator {
namespace {

const google::protobuf::FieldDescriptor& DelayField() {
  return *v1::Proxy::descriptor()->FindFieldByNumber(v1::Proxy::kDelayNsFieldNumber);
}

std::string DelayFactorName(const v1::Service& proxy) {
  return absl::StrCat(proxy.name(), ".", KeyOf(DelayField()));
}

}  // namespace

const v1::Service* FindDelayedProxy(const v1::Experiment& experiment, const std::string& factor) {
  for (const v1::Service& service : experiment.services()) {
    if (service.has_proxy() && DelayFactorName(service) == factor) return &service;
  }
  return nullptr;
}

std::vector<std::string> DelayFactorNames(const v1::Experiment& experiment) {
  std::vector<std::string> names;
  for (const v1::Service& service : experiment.services()) {
    if (service.has_proxy()) names.push_back(DelayFactorName(service));
  }
  return names;
}

absl::StatusOr<int64_t> DelayLevelNs(const v1::ConfigValue& level) {
  const std::string accepted = absl::StrCat("accepted: ", AcceptedText(DelayField()));
  if (!level.has_text() && !level.has_integer()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "is not a duration").Detail(accepted);
  }
  const std::string text = level.has_text() ? level.text() : absl::StrCat(level.integer());
  const absl::StatusOr<int64_t> delay_ns = ParseDurationNs(text);
  if (!delay_ns.ok()) {
    return MakeError(absl::StatusCode::kInvalidArgument, PartsOf(delay_ns.status()).what)
        .Detail(accepted)
        .Try(level.has_integer() ? "add the unit" : "");
  }
  const v1::Rule& rule = RuleOf(DelayField());
  if (*delay_ns < rule.minimum() || *delay_ns > rule.maximum()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(Quote(text), " is out of bounds"))
        .Detail(accepted);
  }
  return *delay_ns;
}

}  // namespace tare::coordinator
