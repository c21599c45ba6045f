#include "coordinator/store/block_columns.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

enum Position : int32_t { kArm, kStart, kValue, kApplied, kFirstStep };

absl::Status CheckLength(absl::string_view name, int64_t length, int64_t samples_count) {
  if (length == samples_count) return absl::OkStatus();
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("column '", name, "' has ", length, " values, the chunk has ",
                                samples_count, " samples"));
}

template <typename Field>
void Take(int32_t position, std::string name, Field* field, std::vector<Column>* columns) {
  if (field->empty()) return;
  columns->push_back({position, std::move(name), {field->begin(), field->end()}});
  field->Clear();
}

}  // namespace

absl::Status CheckColumns(const v1::SampleBlock& block, int64_t samples_count) {
  RETURN_IF_ERROR(CheckLength("arm", block.arm_size(), samples_count));
  RETURN_IF_ERROR(CheckLength("start_ns", block.start_ns_size(), samples_count));
  RETURN_IF_ERROR(CheckLength("value_ns", block.value_ns_size(), samples_count));
  if (block.applied_ns_size() > 0) {
    RETURN_IF_ERROR(CheckLength("applied_ns", block.applied_ns_size(), samples_count));
  }
  for (const v1::StepColumn& step : block.steps()) {
    RETURN_IF_ERROR(CheckLength(step.name(), step.ns_size(), samples_count));
  }
  return absl::OkStatus();
}

std::vector<Column> SplitBlock(v1::SampleBlock* block) {
  std::vector<Column> columns;
  Take(kArm, "arm", block->mutable_arm(), &columns);
  Take(kStart, "start_ns", block->mutable_start_ns(), &columns);
  Take(kValue, "value_ns", block->mutable_value_ns(), &columns);
  Take(kApplied, "applied_ns", block->mutable_applied_ns(), &columns);
  for (int i = 0; i < block->steps_size(); ++i) {
    v1::StepColumn* step = block->mutable_steps(i);
    Take(kFirstStep + i, step->name(), step->mutable_ns(), &columns);
  }
  return columns;
}

absl::Status JoinColumn(const Column& column, v1::SampleBlock* block) {
  const std::vector<int64_t>& values = column.values;
  switch (column.position) {
    case kArm:
      for (const int64_t arm : values) {
        if (arm < 0 || arm > std::numeric_limits<uint32_t>::max()) {
          return MakeError(absl::StatusCode::kDataLoss, absl::StrCat("no arm can be ", arm));
        }
        block->add_arm(static_cast<uint32_t>(arm));
      }
      return absl::OkStatus();
    case kStart:
      block->mutable_start_ns()->Add(values.begin(), values.end());
      return absl::OkStatus();
    case kValue:
      block->mutable_value_ns()->Add(values.begin(), values.end());
      return absl::OkStatus();
    case kApplied:
      block->mutable_applied_ns()->Add(values.begin(), values.end());
      return absl::OkStatus();
    default:
      break;
  }
  const int32_t step = column.position - kFirstStep;
  if (step < 0 || step >= block->steps_size()) {
    return MakeError(absl::StatusCode::kDataLoss,
                     absl::StrCat("the block has no column ", column.position));
  }
  block->mutable_steps(step)->mutable_ns()->Add(values.begin(), values.end());
  return absl::OkStatus();
}

}  // namespace tare::coordinator
