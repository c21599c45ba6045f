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

v1::Distribution Histogram::Snapshot() const {
  v1::Distribution distribution;
  int64_t count = 0;
  for (size_t g = 0; g < kGroups; ++g) {
    const Group* group = groups_[g].load(std::memory_order_acquire);
    if (group == nullptr) continue;
    for (size_t i = 0; i < kSubBuckets; ++i) {
      const int64_t in_bucket = (*group)[i].value();
      if (in_bucket == 0) continue;
      v1::Bucket& bucket = *distribution.add_buckets();
      bucket.set_low_ns(LowNs(g * kSubBuckets + i));
      bucket.set_high_ns(LowNs(g * kSubBuckets + i + 1));
      bucket.set_count(in_bucket);
      count += in_bucket;
    }
  }
  distribution.set_count(count);
  if (count == 0) return distribution;
  distribution.set_sum_ns(sum_ns_.value());
  distribution.set_minimum_ns(minimum_ns_.load(std::memory_order_relaxed));
  distribution.set_maximum_ns(maximum_ns_.value());
  // The last bucket reaches as far as its values do.
  v1::Bucket& top = *distribution.mutable_buckets()->rbegin();
  if (top.low_ns() == LowNs(kBuckets - 1)) {
    top.set_high_ns(std::max(top.high_ns(), distribution.maximum_ns() + 1));
  }
  SetQuantiles(distribution);
  return distribution;
}

void SetQuantiles(v1::Distribution& distribution) {
  const int64_t count = distribution.count();
  const int64_t p50_rank = (count + 1) / 2;
  const int64_t p99_rank = count - count / 100;  // ⌈0.99 × count⌉
  int64_t before = 0;
  for (const v1::Bucket& bucket : distribution.buckets()) {
    const int64_t after = before + bucket.count();
    const int64_t ns = std::clamp(std::midpoint(bucket.low_ns(), bucket.high_ns()),
                                  distribution.minimum_ns(), distribution.maximum_ns());
    if (before < p50_rank && p50_rank <= after) distribution.set_p50_ns(ns);
    if (before < p99_rank && p99_rank <= after) distribution.set_p99_ns(ns);
    before = after;
  }
}

}  // namespace tare::proxy
