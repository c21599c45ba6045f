// The result of one integrity check: did the run do what it says it did?

#ifndef TARE_COORDINATOR_ANALYSIS_FINDING_H_
#define TARE_COORDINATOR_ANALYSIS_FINDING_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct Finding {
  v1::IntegrityCheck check;
  std::optional<v1::Refusal> refusal;  // exactly when the check's status is refused
};

// A check that could not be made; never a pass.
Finding NotRun(absl::string_view name, absl::string_view why);

Finding Passed(absl::string_view name, absl::string_view text);

v1::Refusal MakeRefusal(absl::string_view code, absl::string_view measured, absl::string_view limit,
                        absl::string_view advice);

// Gathers what violates one check. Reports the first in full and counts the others: they are
// usually the same thing in every trial.
class Breaches {
 public:
  explicit Breaches(absl::string_view name) : name_(name) {}

  void Add(absl::string_view measured, absl::string_view limit);
  bool empty() const { return count_ == 0; }

  // Requires: not empty.
  Finding Refuse(absl::string_view advice) const;

 private:
  std::string name_;
  std::string measured_;
  std::string limit_;
  int count_ = 0;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_FINDING_H_
