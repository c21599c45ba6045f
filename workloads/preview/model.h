// A subscription business, month by month: what tare-preview projects.
//
// The inputs are a flat map of 2 + 4·plans fields: starting_cash, fixed_burn, and for each plan its
// price, growth, churn and subscribers. A drag of a slider overrides the four fields of one plan;
// there are kDrags different drags. Everything follows from (plans, seed), to the bit.
//
// Not thread-safe: a projection works in memory of its model.

#ifndef TARE_WORKLOADS_PREVIEW_MODEL_H_
#define TARE_WORKLOADS_PREVIEW_MODEL_H_

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tare::preview {

using FieldMap = std::unordered_map<std::string, double>;

// Field names with their new values.
using Drag = std::array<std::pair<std::string, double>, 4>;

inline constexpr int kDrags = 16;

class Model {
 public:
  // Requires: months and plans of at least 1.
  Model(int months, int plans, uint64_t seed);

  const FieldMap& initial() const { return initial_; }
  const std::array<Drag, kDrags>& drags() const { return drags_; }

  // Projects `fields` and returns a digest of the cash at the end of every month.
  //
  // Per plan, every month depends on the one before and sums over all cohorts of subscribers that
  // are still alive, so the work grows with months² × plans. All of initial()'s fields must be
  // there.
  uint64_t Project(const FieldMap& fields);

 private:
  struct PlanFields {
    std::string price, growth, churn, subscribers;  // names
  };

  void ProjectPlan(double price, double growth, double churn, double subscribers);

  int months_;
  std::vector<PlanFields> plans_;
  FieldMap initial_;
  std::array<Drag, kDrags> drags_;
  // Work space, by month; cohorts also has the subscribers of the beginning.
  std::vector<double> revenue_, retention_, cohorts_;
};

}  // namespace tare::preview

#endif  // TARE_WORKLOADS_PREVIEW_MODEL_H_
