// The loans of a lending library, in an SQLite database in memory.
//
// The content is a function of its size alone: the same loans in every process, on every machine.
// Loans are numbered in the order in which they were made and go to the members in turn, one a
// week to each. Whoever has not returned a book has borrowed it lately: all open loans of a member
// are among the newest kListedMax. Nothing is changed once it is filled.
//
// Not thread-safe: one store a thread.

#ifndef TARE_WORKLOADS_LOAN_LOAN_STORE_H_
#define TARE_WORKLOADS_LOAN_LOAN_STORE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/loan/failure.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tare::loan {

// Loans that a list shows at most.
inline constexpr int64_t kListedMax = 40;
// The day on which all questions are asked; days are counted from an arbitrary one.
inline constexpr int64_t kToday = 20'000;

struct StoreSize {
  int64_t loans_count = 80'000;
  int64_t members_count = 500;  // members 0 to members_count - 1
};

struct Loan {
  int64_t id = 0;
  int64_t book = 0;
  int64_t due_day = 0;
  bool is_returned = false;

  bool is_overdue() const { return !is_returned && due_day < kToday; }
};

// Each function runs one query, with a statement that was prepared once.
class LoanStore {
 public:
  LoanStore() = default;
  LoanStore(const LoanStore&) = delete;
  LoanStore& operator=(const LoanStore&) = delete;
  ~LoanStore();

  // To be called once, before all others.
  std::optional<Failure> Fill(const StoreSize& size);

  // How many loans the member has made; 0 for who is no member.
  std::optional<Failure> CountLoans(int64_t member, int64_t* count);

  // How many of them are overdue.
  std::optional<Failure> CountOverdue(int64_t member, int64_t* count);

  // The newest kListedMax of them, newest first.
  std::optional<Failure> ListNewest(int64_t member, std::vector<Loan>* loans);

 private:
  bool Execute(const char* sql);
  bool Prepare(const char* sql, sqlite3_stmt** statement);
  bool InsertLoans(const StoreSize& size);
  std::optional<Failure> Count(sqlite3_stmt* statement, int64_t member, int64_t* count);
  Failure Failed() const;

  sqlite3* database_ = nullptr;
  sqlite3_stmt* count_loans_ = nullptr;
  sqlite3_stmt* count_overdue_ = nullptr;
  sqlite3_stmt* list_newest_ = nullptr;
};

}  // namespace tare::loan

#endif  // TARE_WORKLOADS_LOAN_LOAN_STORE_H_
