#include "workloads/loan/desk.h"

#include <algorithm>
#include <charconv>

namespace tare::loan {
namespace {

constexpr char kMemberPrefix[] = "U-";

// The value of `name` in "a=1&b=2"; empty when it is not there. Nothing is %-decoded: members'
// names do not need it.
std::string ValueIn(const std::string& query, const std::string& name) {
  for (size_t from = 0; from < query.size();) {
    const size_t end = std::min(query.find('&', from), query.size());
    if (query.compare(from, name.size() + 1, name + "=") == 0) {
      return query.substr(from + name.size() + 1, end - from - name.size() - 1);
    }
    from = end + 1;
  }
  return "";
}

// "U-7" is member 7.
std::optional<int64_t> MemberOf(const std::string& text) {
  const std::string prefix = kMemberPrefix;
  if (text.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data() + prefix.size(), end, number);
  if (error != std::errc() || parsed != end || number < 0) return std::nullopt;
  // One name a member: "U-07" is nobody's.
  if (text != prefix + std::to_string(number)) return std::nullopt;
  return number;
}

void AppendLoan(const Loan& loan, std::string* json) {
  if (json->back() == '}') json->push_back(',');
  json->append("{\"id\":").append(std::to_string(loan.id));
  json->append(",\"book\":").append(std::to_string(loan.book));
  json->append(",\"due\":").append(std::to_string(loan.due_day));
  json->append(",\"returned\":").append(loan.is_returned ? "true" : "false").append("}");
}

}  // namespace

Answer Refuse(unsigned status, const std::string& reason) {
  return {status, "{\"error\":\"" + reason + "\"}"};
}

Answer Desk::Get(const std::string& target) {
  const size_t question = std::min(target.find('?'), target.size());
  const std::string path = target.substr(0, question);
  if (path == "/metrics") {
    return {200, "{\"requests\":" + std::to_string(metrics_->requests.load()) +
                     ",\"queries\":" + std::to_string(metrics_->queries.load()) + "}"};
  }
  ++metrics_->requests;
  if (path == "/health") return {200, "{\"ready\":true}"};
  if (path != "/loan") return Refuse(404, "there are /loan, /metrics and /health");
  return GetLoans(target.substr(std::min(question + 1, target.size())));
}

Answer Desk::GetLoans(const std::string& query) {
  const std::optional<int64_t> member = MemberOf(ValueIn(query, "member"));
  if (!member) return Refuse(400, "ask for a member: /loan?member=U-7");
  int64_t loans_count = 0;
  int64_t overdue_count = 0;
  if (ReadLoans(*member, &loans_count, &overdue_count)) return Refuse(500, "a query failed");
  const std::string name = kMemberPrefix + std::to_string(*member);
  if (loans_count == 0) return Refuse(404, "there is no member " + name);
  Answer answer;
  answer.body = "{\"member\":\"" + name + "\",\"loan\":" + std::to_string(loans_count) +
                ",\"overdue\":" + std::to_string(overdue_count) + ",\"list\":[";
  for (const Loan& loan : listed_) AppendLoan(loan, &answer.body);
  answer.body.append("]}");
  return answer;
}

std::optional<Failure> Desk::ReadLoans(int64_t member, int64_t* loans_count,
                                       int64_t* overdue_count) {
  ++metrics_->queries;
  if (auto failure = store_.CountLoans(member, loans_count)) return failure;
  if (*loans_count == 0) return std::nullopt;
  ++metrics_->queries;
  if (auto failure = store_.ListNewest(member, &listed_)) return failure;
  if (version_ == Version::kA) {
    *overdue_count = std::count_if(listed_.begin(), listed_.end(),
                                   [](const Loan& loan) { return loan.is_overdue(); });
    return std::nullopt;
  }
  ++metrics_->queries;
  return store_.CountOverdue(member, overdue_count);
}

}  // namespace tare::loan
