#include "proxy/histogram.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tare::proxy {

Histogram::~Histogram() {
  for (const std::atomic<Group*>& group : groups_) delete group.load(std::memory_order_relaxed);
}

size_t Histogram::BucketOf(int64_t ns) {
  const uint64_t value = static_cast<uint64_t>(ns);
  if (value < kSubBuckets) return value;
  if (value >> kValueBits != 0) return kBuckets - 1;
  const size_t shift = static_cast<size_t>(std::bit_width(value)) - 1 - kSubBucketBits;
  // The value's leading bit is worth kSubBuckets after the shift and moves on to the next group.
  return shift * kSubBuckets + (value >> shift);
}

int64_t Histogram::LowNs(size_t bucket) {
  if (bucket < kSubBuckets) return static_cast<int64_t>(bucket);
  const size_t shift = bucket / kSubBuckets - 1;
  return static_cast<int64_t>((kSubBuckets + bucket % kSubBuckets) << shift);
}

Counter& Histogram::At(size_t bucket) {
  std::atomic<Group*>& slot = groups_[bucket / kSubBuckets];
  Group* group = slot.load(std::memory_order_relaxed);
  if (group == nullptr) {
    group = new Group();
    slot.store(group, std::memory_order_release);
  }
  return (*group)[bucket % kSubBuckets];
}

// The bucket comes last: who sees a value counted must also see a minimum and maximum around it.
void Histogram::Add(int64_t ns) {
  ns = std::max<int64_t>(ns, 0);
  sum_ns_.Add(ns);
  maximum_ns_.SetMax(ns);
  if (ns < minimum_ns_.load(std::memory_order_relaxed)) {
    minimum_ns_.store(ns, std::memory_order_relaxed);
  }
  At(BucketOf(ns)).Add(1);
}

std::array<int64_t, Histogram::kBuckets> Histogram::Counts() const {
  std::array<int64_t, kBuckets> counts = {};
  for (size_t g = 0; g < kGroups; ++g) {
    const Group* group = groups_[g].load(std::memory_order_acquire);
    if (group == nullptr) continue;
    for (size_t i = 0; i < kSubBuckets; ++i) counts[g * kSubBuckets + i] = (*group)[i].value();
  }
  return counts;
}

v1::Distribution Histogram::Snapshot() const {
  const std::array<int64_t, kBuckets> counts = Counts();
  v1::Distribution distribution;
  const int64_t count = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  distribution.set_count(count);
  if (count == 0) return distribution;
  const int64_t minimum_ns = minimum_ns_.load(std::memory_order_relaxed);
  const int64_t maximum_ns = maximum_ns_.value();
  distribution.set_sum_ns(sum_ns_.value());
  distribution.set_minimum_ns(minimum_ns);
  distribution.set_maximum_ns(maximum_ns);

  const int64_t p50_rank = (count + 1) / 2;
  const int64_t p99_rank = count - count / 100;  // ⌈0.99 × count⌉
  int64_t before = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    if (counts[i] == 0) continue;
    // The last bucket reaches as far as its values do.
    const bool is_last = i + 1 == kBuckets;
    const int64_t end_ns = std::max(LowNs(i + 1), is_last ? maximum_ns + 1 : 0);
    v1::Bucket& bucket = *distribution.add_buckets();
    bucket.set_low_ns(LowNs(i));
    bucket.set_high_ns(end_ns);
    bucket.set_count(counts[i]);
    const int64_t middle_ns = std::midpoint(LowNs(i), end_ns);
    const int64_t quantile_ns = std::clamp(middle_ns, minimum_ns, maximum_ns);
    const auto is_here = [&](int64_t rank) { return before < rank && rank <= before + counts[i]; };
    if (is_here(p50_rank)) distribution.set_p50_ns(quantile_ns);
    if (is_here(p99_rank)) distribution.set_p99_ns(quantile_ns);
    before += counts[i];
  }
  return distribution;
}

}  // namespace tare::proxy
