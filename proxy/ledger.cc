#include "proxy/ledger.h"

#include <utility>

#include "absl/time/clock.h"

namespace tare::proxy {

void Ledger::Enter(std::shared_ptr<ConnectionRecord> record) {
  accepted.Add(1);
  noted_.push_back(std::move(record));
  Settle();
}

bool Ledger::Settle() {
  if (noted_.empty()) return true;
  if (!mutex_.try_lock()) return false;
  for (std::shared_ptr<ConnectionRecord>& noted : noted_) records_.push_back(std::move(noted));
  mutex_.unlock();
  noted_.clear();
  return true;
}

void Ledger::Close(ConnectionRecord& record, std::string cause) {
  record.closed_unix_ns = absl::GetCurrentTimeNanos();
  record.cause = std::move(cause);
  record.is_closed.store(true, std::memory_order_release);
}

// The oldest closed ones go first; open ones always keep their record.
void Ledger::Tidy() {
  Records surplus;
  {
    const std::lock_guard lock(mutex_);
    if (records_.size() <= kConnectionsKept) return;
    size_t left = records_.size() - kConnectionsKept;
    Records kept;
    for (std::shared_ptr<ConnectionRecord>& record : records_) {
      const bool goes = left > 0 && record->is_closed.load(std::memory_order_acquire);
      left -= goes ? 1 : 0;
      (goes ? surplus : kept).push_back(std::move(record));
    }
    records_ = std::move(kept);
  }
  for (const std::shared_ptr<ConnectionRecord>& record : surplus) {
    AddTraffic(record->traffic.Snapshot(), &summed_);
  }
  summed_count_ += static_cast<int64_t>(surplus.size());
}

Ledger::Records Ledger::CopyOfRecords() {
  const std::lock_guard lock(mutex_);
  return records_;
}

v1::ProxyCounters Ledger::Counters() {
  v1::ProxyCounters counters;
  int64_t turns = summed_.turns();
  int64_t client_writes = summed_.client_writes();
  int64_t round_trips = summed_.postgres().round_trips();
  for (const std::shared_ptr<ConnectionRecord>& record : CopyOfRecords()) {
    turns += record->traffic.turns.value();
    client_writes += record->traffic.client_writes.value();
    round_trips += record->traffic.postgres.round_trips();
  }
  counters.set_turns(turns);
  counters.set_client_writes(client_writes);
  counters.set_postgres_round_trips(round_trips);
  counters.set_connections_accepted(accepted.value());
  return counters;
}

v1::ProxyEvidence Ledger::Evidence() {
  v1::ProxyEvidence evidence;
  Tidy();
  evidence.set_connections_accepted(accepted.value());
  evidence.set_connections_failed(failed.value());
  *evidence.mutable_total() = summed_;
  evidence.set_connections_left_out(summed_count_);
  evidence.set_polling_ns(polling_ns.value());
  for (const std::shared_ptr<ConnectionRecord>& record : CopyOfRecords()) {
    v1::ProxyConnection* connection = evidence.add_connections();
    connection->set_connection(record->number);
    connection->set_client(record->client);
    connection->set_opened_unix_ns(record->opened_unix_ns);
    connection->set_profile(record->profile->words);
    // First of all: what is closed counts no more.
    const bool is_closed = record->is_closed.load(std::memory_order_acquire);
    *connection->mutable_traffic() = record->traffic.Snapshot();
    AddTraffic(connection->traffic(), evidence.mutable_total());
    const int64_t dial_ns = record->dial_ns.load(std::memory_order_relaxed);
    if (dial_ns >= 0) connection->set_dial_ns(dial_ns);
    if (is_closed) {
      connection->set_closed_unix_ns(record->closed_unix_ns);
      connection->set_cause(record->cause);
    } else {
      evidence.set_connections_open(evidence.connections_open() + 1);
    }
  }
  return evidence;
}

}  // namespace tare::proxy
