#include "coordinator/analysis/samples.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

absl::Status Contradiction(const v1::Trial& planned, absl::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("trial ", planned.trial(), ": ", what));
}

absl::Status CheckColumns(const v1::Trial& planned, const v1::SampleBlock& block) {
  const int count = block.value_ns_size();
  bool is_equal = block.arm_size() == count &&
                  (block.applied_ns_size() == 0 || block.applied_ns_size() == count);
  for (const v1::StepColumn& step : block.steps()) is_equal &= step.ns_size() == count;
  if (is_equal) return absl::OkStatus();
  return Contradiction(planned,
                       absl::StrCat("block ", block.block(), " has columns of unequal length"));
}

// One sample where it was delivered.
struct SampleRef {
  const v1::SampleBlock* block = nullptr;
  int index = 0;
  bool is_warmup = false;
};

// The samples of one process in order, or of all arms where one process hosts them.
using Stream = std::vector<SampleRef>;

// Adds a block, or a piece of one: only the first piece says how many of its block are warm-up.
class StreamReader {
 public:
  void Add(const v1::SampleBlock& block) {
    if (block.block() != block_ || stream_.empty()) {
      block_ = block.block();
      warmup_left_ = block.warmup_samples();
    }
    for (int i = 0; i < block.value_ns_size(); ++i) {
      stream_.push_back({&block, i, block.is_warmup() || warmup_left_ > 0});
      --warmup_left_;
    }
  }

  const Stream& stream() const { return stream_; }

 private:
  Stream stream_;
  int32_t block_ = -1;
  int64_t warmup_left_ = 0;
};

// Puts the samples of all processes into the order of the plan. In lockstep every arm has a
// process of its own, so its samples come as a stream of their own. Stops where one has ended too
// soon: what the others have beyond it belongs to no complete set.
absl::StatusOr<Stream> MergeStreams(const v1::Trial& planned, bool is_lockstep,
                                    const TrialData& data) {
  std::map<uint32_t, StreamReader> readers;
  for (const v1::SampleBlock& block : data.blocks) {
    RETURN_IF_ERROR(CheckColumns(planned, block));
    if (block.arm().empty()) continue;
    readers[is_lockstep ? block.arm(0) : 0].Add(block);
  }
  std::map<uint32_t, size_t> taken;
  Stream merged;
  for (const uint32_t arm : planned.sample_arms()) {
    const uint32_t key = is_lockstep ? arm : 0;
    const Stream& stream = readers[key].stream();
    size_t& next = taken[key];
    if (next == stream.size()) break;
    const SampleRef& ref = stream[next++];
    if (ref.block->arm(ref.index) != arm) {
      return Contradiction(
          planned, absl::StrCat("sample ", merged.size(), " is of arm ", ref.block->arm(ref.index),
                                " where the plan has arm ", arm));
    }
    merged.push_back(ref);
  }
  size_t delivered = 0;
  for (const auto& [arm, reader] : readers) delivered += reader.stream().size();
  if (delivered > static_cast<size_t>(planned.sample_arms_size())) {
    return Contradiction(planned, absl::StrCat("more samples than the ", planned.sample_arms_size(),
                                               " of the plan"));
  }
  return merged;
}

// Steps may first appear in a later sample; those before it then count as 0.
void AppendSteps(const SampleRef& ref, double iterations, TimedSamples* samples) {
  const size_t before = samples->values_ns.size() - 1;
  for (const v1::StepColumn& column : ref.block->steps()) {
    auto step = std::find_if(samples->steps.begin(), samples->steps.end(),
                             [&](const StepSamples& s) { return s.name == column.name(); });
    if (step == samples->steps.end()) step = samples->steps.insert(step, {column.name(), {}});
    step->values_ns.resize(before, 0.0);
    step->values_ns.push_back(static_cast<double>(column.ns(ref.index)) / iterations);
  }
}

}  // namespace

std::vector<size_t> TimedSamples::IndicesOf(uint32_t arm) const {
  std::vector<size_t> indices;
  for (size_t i = 0; i < arms.size(); ++i) {
    if (arms[i] == arm) indices.push_back(i);
  }
  return indices;
}

absl::StatusOr<TimedSamples> ReadSamples(const v1::Plan& plan, const v1::Trial& planned,
                                         const TrialData& data) {
  const double iterations = std::max(1, plan.iterations());
  ASSIGN_OR_RETURN(const Stream stream,
                   MergeStreams(planned, plan.pairing() == v1::PAIRING_LOCKSTEP, data));
  TimedSamples samples;
  samples.delivered_count = static_cast<int64_t>(stream.size());
  for (const SampleRef& ref : stream) {
    if (ref.is_warmup) continue;
    const v1::SampleBlock& block = *ref.block;
    const int64_t applied_ns = block.applied_ns_size() == 0 ? 0 : block.applied_ns(ref.index);
    samples.arms.push_back(block.arm(ref.index));
    samples.values_ns.push_back(static_cast<double>(block.value_ns(ref.index)) / iterations);
    samples.applied_ns.push_back(static_cast<double>(applied_ns) / iterations);
    samples.blocks.push_back(block.block());
    if (ref.index < block.start_ns_size()) {
      samples.starts_ns.push_back(static_cast<double>(block.start_ns(ref.index)));
    }
    AppendSteps(ref, iterations, &samples);
  }
  if (samples.starts_ns.size() != samples.values_ns.size()) samples.starts_ns.clear();
  for (StepSamples& step : samples.steps) step.values_ns.resize(samples.values_ns.size(), 0.0);
  return samples;
}

}  // namespace tare::coordinator
