// What tare-loan answers to a GET, whatever carries the question.
//
//   /loan?member=U-7  {"member":"U-7","loan":160,"overdue":4,"list":[{"id":…,"book":…,"due":…,
//                     "returned":…}, …]}; 404 for who is no member, 400 for what names none
//   /metrics          {"requests":N,"queries":N}, over all threads since the start
//   /health           {"ready":true}
//
// Both versions give the same answer. `a` finds the overdue loans in the list that it has read
// anyway, two queries in all; `b` asks for their number once more, three queries.
//
// A Desk is not thread-safe: one a thread. Metrics are shared by all of them.

#ifndef TARE_WORKLOADS_LOAN_DESK_H_
#define TARE_WORKLOADS_LOAN_DESK_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/loan/failure.h"
#include "workloads/loan/loan_store.h"

namespace tare::loan {

enum class Version { kA, kB };

struct Metrics {
  std::atomic<int64_t> requests{0};  // GET and HEAD, all but those for /metrics
  std::atomic<int64_t> queries{0};
};

struct Answer {
  unsigned status = 200;
  std::string body;  // JSON
};

class Desk {
 public:
  // `metrics` must outlive it.
  Desk(Version version, Metrics* metrics) : version_(version), metrics_(metrics) {}

  // To be called once, before the first question.
  std::optional<Failure> Fill(const StoreSize& size) { return store_.Fill(size); }

  // 404 for a path that it does not know, 500 when a query cannot be run.
  Answer Get(const std::string& target);

 private:
  Answer GetLoans(const std::string& query);
  std::optional<Failure> ReadLoans(int64_t member, int64_t* loans_count, int64_t* overdue_count);

  const Version version_;
  Metrics* const metrics_;
  LoanStore store_;
  std::vector<Loan> listed_;
};

// The answer to what is wrong with a request.
Answer Refuse(unsigned status, const std::string& reason);

}  // namespace tare::loan

#endif  // TARE_WORKLOADS_LOAN_DESK_H_
