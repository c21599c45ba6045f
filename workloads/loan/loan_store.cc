#include "workloads/loan/loan_store.h"

#include <sqlite3.h>

namespace tare::loan {
namespace {

constexpr char kSchema[] =
    "CREATE TABLE loan (id INTEGER PRIMARY KEY, member INTEGER NOT NULL, book INTEGER NOT NULL,"
    " due INTEGER NOT NULL, returned INTEGER NOT NULL)";
constexpr int64_t kBooksCount = 20'000;
constexpr int64_t kDaysBetweenLoans = 7;  // of one member
constexpr int64_t kDaysOfLoan = 28;
// Only the newest loans of a member can be open: half of what a list shows, and of these one in
// four.
constexpr int64_t kMaybeOpenCount = kListedMax / 2;
constexpr uint64_t kOneInOpen = 4;

// Numbers without a pattern, the same everywhere. The finalizer of splitmix64.
uint64_t Scramble(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

}  // namespace

LoanStore::~LoanStore() {
  for (sqlite3_stmt* statement : {count_loans_, count_overdue_, list_newest_}) {
    sqlite3_finalize(statement);
  }
  sqlite3_close(database_);
}

std::optional<Failure> LoanStore::Fill(const StoreSize& size) {
  if (sqlite3_open(":memory:", &database_) != SQLITE_OK) return Failed();
  if (!Execute(kSchema) || !Execute("BEGIN") || !InsertLoans(size) ||
      !Execute("CREATE INDEX loan_of_member ON loan (member)") || !Execute("COMMIT")) {
    return Failed();
  }
  if (!Prepare("SELECT count(*) FROM loan WHERE member = ?1", &count_loans_) ||
      !Prepare("SELECT count(*) FROM loan WHERE member = ?1 AND returned = 0 AND due < ?2",
               &count_overdue_) ||
      !Prepare("SELECT id, book, due, returned FROM loan WHERE member = ?1"
               " ORDER BY id DESC LIMIT ?2",
               &list_newest_)) {
    return Failed();
  }
  sqlite3_bind_int64(count_overdue_, 2, kToday);
  sqlite3_bind_int64(list_newest_, 2, kListedMax);
  return std::nullopt;
}

std::optional<Failure> LoanStore::CountLoans(int64_t member, int64_t* count) {
  return Count(count_loans_, member, count);
}

std::optional<Failure> LoanStore::CountOverdue(int64_t member, int64_t* count) {
  return Count(count_overdue_, member, count);
}

std::optional<Failure> LoanStore::ListNewest(int64_t member, std::vector<Loan>* loans) {
  loans->clear();
  sqlite3_bind_int64(list_newest_, 1, member);
  int result = 0;
  while ((result = sqlite3_step(list_newest_)) == SQLITE_ROW) {
    loans->push_back({.id = sqlite3_column_int64(list_newest_, 0),
                      .book = sqlite3_column_int64(list_newest_, 1),
                      .due_day = sqlite3_column_int64(list_newest_, 2),
                      .is_returned = sqlite3_column_int(list_newest_, 3) != 0});
  }
  sqlite3_reset(list_newest_);
  if (result != SQLITE_DONE) return Failed();
  return std::nullopt;
}

bool LoanStore::Execute(const char* sql) {
  return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool LoanStore::Prepare(const char* sql, sqlite3_stmt** statement) {
  return sqlite3_prepare_v2(database_, sql, -1, statement, nullptr) == SQLITE_OK;
}

bool LoanStore::InsertLoans(const StoreSize& size) {
  sqlite3_stmt* insert = nullptr;
  if (!Prepare("INSERT INTO loan VALUES (?1, ?2, ?3, ?4, ?5)", &insert)) return false;
  bool is_done = true;
  for (int64_t id = 1; id <= size.loans_count && is_done; ++id) {
    // How many loans the same member has made since.
    const int64_t newer_count = (size.loans_count - id) / size.members_count;
    const uint64_t drawn = Scramble(static_cast<uint64_t>(id));
    const bool is_open = newer_count < kMaybeOpenCount && (drawn >> 32) % kOneInOpen == 0;
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, (id - 1) % size.members_count);
    sqlite3_bind_int64(insert, 3, static_cast<int64_t>(drawn % kBooksCount));
    sqlite3_bind_int64(insert, 4, kToday - newer_count * kDaysBetweenLoans + kDaysOfLoan);
    sqlite3_bind_int(insert, 5, is_open ? 0 : 1);
    is_done = sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
  }
  sqlite3_finalize(insert);
  return is_done;
}

std::optional<Failure> LoanStore::Count(sqlite3_stmt* statement, int64_t member, int64_t* count) {
  sqlite3_bind_int64(statement, 1, member);
  const bool has_row = sqlite3_step(statement) == SQLITE_ROW;
  if (has_row) *count = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  if (!has_row) return Failed();
  return std::nullopt;
}

Failure LoanStore::Failed() const {
  return {"sqlite: cannot use table 'loan' in memory", sqlite3_errmsg(database_), ""};
}

}  // namespace tare::loan
