// The messages of one block: measure and its answer, samples.

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/workload/envelope.h"
#include "agent/workload/json_fields.h"
#include "agent/workload/message.h"
#include "base/status.h"

namespace tare::agent {
namespace {

absl::Status CheckLength(absl::string_view column, size_t length, int expected) {
  if (length == static_cast<size_t>(expected)) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("column '", column, "' has ", length, " entries, measure asked for ", expected));
}

bool HasDelay(const v1::Measure& measure) {
  for (const int64_t delay_ns : measure.delay_ns()) {
    if (delay_ns > 0) return true;
  }
  return false;
}

absl::Status CheckAsked(const v1::SampleBlock& block, const v1::Measure& measure) {
  if (block.block() != measure.block() || block.is_warmup() != measure.is_warmup()) {
    return absl::DataLossError(absl::StrCat(
        "samples are of ", block.is_warmup() ? "warm-up " : "", "block ", block.block(),
        ", measure was ", measure.is_warmup() ? "warm-up " : "", "block ", measure.block()));
  }
  const int count = measure.arms_size();
  RETURN_IF_ERROR(CheckLength("arm", static_cast<size_t>(block.arm_size()), count));
  RETURN_IF_ERROR(CheckLength("start_ns", static_cast<size_t>(block.start_ns_size()), count));
  RETURN_IF_ERROR(CheckLength("value_ns", static_cast<size_t>(block.value_ns_size()), count));
  if (block.applied_ns_size() > 0 || HasDelay(measure)) {
    RETURN_IF_ERROR(CheckLength("applied_ns", static_cast<size_t>(block.applied_ns_size()), count));
  }
  for (const v1::StepColumn& step : block.steps()) {
    RETURN_IF_ERROR(CheckLength(absl::StrCat("steps.", step.name()),
                                static_cast<size_t>(step.ns_size()), count));
  }
  for (int i = 0; i < count; ++i) {
    if (block.arm(i) != measure.arms(i)) {
      return absl::DataLossError(absl::StrCat("sample ", i, " is of arm ", block.arm(i),
                                              ", measure asked for arm ", measure.arms(i)));
    }
    if (i > 0 && block.start_ns(i) < block.start_ns(i - 1)) {
      return absl::DataLossError(
          absl::StrCat("sample ", i, " started before sample ", i - 1, ": time went backwards"));
    }
  }
  return absl::OkStatus();
}

absl::Status FillSamples(const Json& body, v1::SampleBlock& block) {
  JsonFields fields(body, "samples");
  block.set_block(static_cast<int32_t>(fields.Integer("block", 0, INT32_MAX)));
  block.set_is_warmup(fields.Flag("is_warmup"));
  for (const int64_t arm : fields.Integers("arm", 0, INT32_MAX)) {
    block.add_arm(static_cast<uint32_t>(arm));
  }
  const auto fill = [&fields](const char* name, google::protobuf::RepeatedField<int64_t>* column) {
    const std::vector<int64_t> values = fields.Integers(name, 0);
    column->Assign(values.begin(), values.end());
  };
  fill("start_ns", block.mutable_start_ns());
  fill("value_ns", block.mutable_value_ns());
  fill("applied_ns", block.mutable_applied_ns());
  const Json& columns = fields.Object("steps");
  JsonFields step_fields(columns, "samples.steps");
  for (const auto& [name, column] : columns.items()) {
    v1::StepColumn& step = *block.add_steps();
    step.set_name(name);
    const std::vector<int64_t> values = step_fields.Integers(name.c_str(), 0);
    step.mutable_ns()->Assign(values.begin(), values.end());
  }
  RETURN_IF_ERROR(step_fields.status());
  return fields.status();
}

}  // namespace

std::string MeasureLine(const v1::Measure& measure) {
  Json body = {{"block", measure.block()},
               {"is_warmup", measure.is_warmup()},
               {"arms", measure.arms()},
               {"iterations", measure.iterations()},
               {"washout", measure.washout()},
               {"washout_arm", measure.washout_arm()},
               {"delay_ns", measure.delay_ns()},
               {"first_set", measure.first_set()},
               {"arms_per_set", measure.arms_per_set()}};
  // Only for the processes that they are about.
  if (measure.warmup_samples() > 0) body["warmup_samples"] = measure.warmup_samples();
  if (measure.is_lockstep()) body["is_lockstep"] = true;
  if (measure.delay_place() == v1::DELAY_PLACE_START) body["delay_place"] = "start";
  if (measure.delay_place() == v1::DELAY_PLACE_MIDDLE) body["delay_place"] = "middle";
  return Line("measure", std::move(body));
}

absl::StatusOr<v1::SampleBlock> ParseSamples(absl::string_view line, const v1::Measure& measure) {
  ASSIGN_OR_RETURN(const Json body, OpenEnvelope(line, "samples"));
  v1::SampleBlock block;
  absl::Status status = FillSamples(body, block);
  if (status.ok()) status = CheckAsked(block, measure);
  if (!status.ok()) return NotTheProtocol(line, status.message());
  return block;
}

}  // namespace tare::agent
