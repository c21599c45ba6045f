#include "proxy/traffic.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tare::proxy {
namespace {

void AddDistribution(const v1::Distribution& more, v1::Distribution* sum) {
  if (more.count() == 0) return;
  const bool is_first = sum->count() == 0;
  sum->set_count(sum->count() + more.count());
  sum->set_sum_ns(sum->sum_ns() + more.sum_ns());
  sum->set_minimum_ns(is_first ? more.minimum_ns()
                               : std::min(sum->minimum_ns(), more.minimum_ns()));
  sum->set_maximum_ns(is_first ? more.maximum_ns()
                               : std::max(sum->maximum_ns(), more.maximum_ns()));
  std::map<int64_t, v1::Bucket> joined;
  for (const v1::Bucket& bucket : sum->buckets()) joined[bucket.low_ns()] = bucket;
  for (const v1::Bucket& bucket : more.buckets()) {
    v1::Bucket& same = joined[bucket.low_ns()];
    same.set_low_ns(bucket.low_ns());
    same.set_high_ns(std::max(same.high_ns(), bucket.high_ns()));  // the last one's differs
    same.set_count(same.count() + bucket.count());
  }
  sum->clear_buckets();
  for (auto& [low_ns, bucket] : joined) *sum->add_buckets() = std::move(bucket);
  SetQuantiles(*sum);
}

void AddDirection(const v1::ProxyDirection& more, v1::ProxyDirection* sum) {
  sum->set_bytes(sum->bytes() + more.bytes());
  sum->set_bytes_undelivered(sum->bytes_undelivered() + more.bytes_undelivered());
  sum->set_queue_bytes_max(std::max(sum->queue_bytes_max(), more.queue_bytes_max()));
  sum->set_bound_reached(sum->bound_reached() + more.bound_reached());
  AddDistribution(more.asked(), sum->mutable_asked());
  AddDistribution(more.late(), sum->mutable_late());
  AddDistribution(more.ordered(), sum->mutable_ordered());
}

void AddPostgres(const v1::PostgresTraffic& more, v1::PostgresTraffic* sum) {
  sum->set_queries(sum->queries() + more.queries());
  sum->set_executes(sum->executes() + more.executes());
  sum->set_syncs(sum->syncs() + more.syncs());
  sum->set_round_trips(sum->round_trips() + more.round_trips());
  sum->set_copy_bytes_in(sum->copy_bytes_in() + more.copy_bytes_in());
  sum->set_copy_bytes_out(sum->copy_bytes_out() + more.copy_bytes_out());
  sum->set_errors(sum->errors() + more.errors());
  AddDistribution(more.server_time(), sum->mutable_server_time());
  if (sum->stopped().empty()) sum->set_stopped(more.stopped());
}

void Snapshot(const DirectionTraffic& traffic, v1::ProxyDirection* direction) {
  direction->set_bytes(traffic.bytes.value());
  direction->set_bytes_undelivered(traffic.bytes_undelivered.value());
  direction->set_queue_bytes_max(traffic.queue_bytes_max.value());
  direction->set_bound_reached(traffic.bound_reached.value());
  *direction->mutable_asked() = traffic.asked.Snapshot();
  *direction->mutable_late() = traffic.late.Snapshot();
  *direction->mutable_ordered() = traffic.ordered.Snapshot();
  if (traffic.recording != nullptr) traffic.recording->CopyTo(direction);
}

}  // namespace

void DelayRecording::Add(int64_t asked_ns, int64_t applied_ns) {
  if (*budget_ == 0) {
    left_out_.Add(1);
    return;
  }
  --*budget_;
  const size_t index = kept_.load(std::memory_order_relaxed);
  std::unique_ptr<Page>& page = pages_[index / kPageDelays];
  if (page == nullptr) page = std::make_unique<Page>();
  (*page)[index % kPageDelays] = {asked_ns, applied_ns};
  kept_.store(index + 1, std::memory_order_release);
}

void DelayRecording::CopyTo(v1::ProxyDirection* direction) const {
  const size_t kept = kept_.load(std::memory_order_acquire);
  for (size_t i = 0; i < kept; ++i) {
    const Delay& delay = (*pages_[i / kPageDelays])[i % kPageDelays];
    direction->add_recorded_asked_ns(delay.asked_ns);
    direction->add_recorded_applied_ns(delay.applied_ns);
  }
  direction->set_recorded_left_out(left_out_.value());
}

void DirectionTraffic::AddRelease(int64_t asked_ns, int64_t read_ns, int64_t due_ns,
                                  int64_t handed_on_ns) {
  asked.Add(asked_ns);
  late.Add(handed_on_ns - read_ns - asked_ns);
  ordered.Add(due_ns - read_ns - asked_ns);
  if (recording != nullptr) recording->Add(asked_ns, handed_on_ns - read_ns);
}

v1::ProxyTraffic Traffic::Snapshot() const {
  v1::ProxyTraffic snapshot;
  snapshot.set_turns(turns.value());
  snapshot.set_client_writes(client_writes.value());
  proxy::Snapshot(to_server, snapshot.mutable_to_server());
  proxy::Snapshot(to_client, snapshot.mutable_to_client());
  if (postgres.is_postgres()) *snapshot.mutable_postgres() = postgres.Snapshot();
  return snapshot;
}

void AddTraffic(const v1::ProxyTraffic& more, v1::ProxyTraffic* sum) {
  sum->set_turns(sum->turns() + more.turns());
  sum->set_client_writes(sum->client_writes() + more.client_writes());
  AddDirection(more.to_server(), sum->mutable_to_server());
  AddDirection(more.to_client(), sum->mutable_to_client());
  if (more.has_postgres()) AddPostgres(more.postgres(), sum->mutable_postgres());
}

}  // namespace tare::proxy
