// How often each duration was seen, in buckets that are narrow in proportion.
//
// Count, sum, smallest and largest value are exact; a quantile is off by at most half a bucket,
// that is 0.8 %. Buckets are 1 ns wide below 64 ns and from there 1/64 of a power of two, up to
// 2^36 ns (69 s); the last one also takes whatever is longer. It does not keep the order of values.
//
// Memory: about 300 bytes while empty, and 512 bytes for each power of two that occurred, 16 KiB in
// all at most. Add() allocates only when a power of two occurs for the first time.
//
// Threads: one writer, any number of readers.

#ifndef TARE_PROXY_HISTOGRAM_H_
#define TARE_PROXY_HISTOGRAM_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "proxy/counter.h"
#include "tare/v1/proxy.pb.h"

namespace tare::proxy {

class Histogram {
 public:
  Histogram() = default;
  ~Histogram();
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  // Counts one value; one below 0 counts as 0. Requires: the sum of all values is below 2^63 ns
  // (292 years).
  void Add(int64_t ns);

  // What was counted so far. While the writer adds, the sum can already hold values that are not in
  // the buckets yet. Only buckets that hold something are listed.
  v1::Distribution Snapshot() const;

 private:
  static constexpr size_t kSubBucketBits = 6;
  static constexpr size_t kSubBuckets = size_t{1} << kSubBucketBits;
  static constexpr size_t kValueBits = 36;
  // The values below kSubBuckets, then one group a power of two.
  static constexpr size_t kGroups = kValueBits - kSubBucketBits + 1;
  static constexpr size_t kBuckets = kGroups * kSubBuckets;

  using Group = std::array<Counter, kSubBuckets>;

  static size_t BucketOf(int64_t ns);
  static int64_t LowNs(size_t bucket);

  // The bucket's counter; makes its group when it is the first of it.
  Counter& At(size_t bucket);

  std::array<std::atomic<Group*>, kGroups> groups_ = {};  // owned; set once by the writer
  Counter sum_ns_;
  Counter maximum_ns_;
  std::atomic<int64_t> minimum_ns_ = std::numeric_limits<int64_t>::max();
};

// Sets p50 and p99 from the buckets, by nearest rank: the middle of the bucket, but not outside
// minimum and maximum. Requires: count is that of the buckets, which are in order.
void SetQuantiles(v1::Distribution& distribution);

}  // namespace tare::proxy

#endif  // TARE_PROXY_HISTOGRAM_H_
