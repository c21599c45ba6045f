#include "workloads/preview/model.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tare::preview {
namespace {

// splitmix64: the next of a sequence that is the same on every machine.
uint64_t Next(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Between(uint64_t& state, double low, double high) {
  return low + (high - low) * static_cast<double>(Next(state) >> 11) * 0x1p-53;
}

// A field that is not there makes the result one that no other projection has.
double Get(const FieldMap& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

}  // namespace

Model::Model(int months, int plans, uint64_t seed)
    : months_(months),
      revenue_(static_cast<size_t>(months)),
      retention_(static_cast<size_t>(months)),
      cohorts_(static_cast<size_t>(months) + 1) {
  uint64_t state = seed;
  initial_["starting_cash"] = Between(state, 1e6, 5e6);
  initial_["fixed_burn"] = Between(state, 5e4, 2e5);
  for (int i = 0; i < plans; ++i) {
    const std::string prefix = "plan_" + std::to_string(i) + "_";
    plans_.push_back(
        {prefix + "price", prefix + "growth", prefix + "churn", prefix + "subscribers"});
    const PlanFields& plan = plans_.back();
    initial_[plan.price] = Between(state, 5, 105);
    initial_[plan.growth] = Between(state, 0.01, 0.06);
    initial_[plan.churn] = Between(state, 0.01, 0.06);
    initial_[plan.subscribers] = Between(state, 100, 10'000);
  }
  for (Drag& drag : drags_) {
    const PlanFields& plan = plans_[Next(state) % plans_.size()];
    const auto dragged = [&](const std::string& name) {
      return std::pair(name, initial_[name] * Between(state, 0.5, 1.5));
    };
    drag = {dragged(plan.price), dragged(plan.growth), dragged(plan.churn),
            dragged(plan.subscribers)};
  }
}

uint64_t Model::Project(const FieldMap& fields) {
  std::fill(revenue_.begin(), revenue_.end(), 0.0);
  for (const PlanFields& plan : plans_) {
    ProjectPlan(Get(fields, plan.price), Get(fields, plan.growth), Get(fields, plan.churn),
                Get(fields, plan.subscribers));
  }
  double cash = Get(fields, "starting_cash");
  const double fixed_burn = Get(fields, "fixed_burn");
  uint64_t digest = static_cast<uint64_t>(months_);
  for (size_t month = 0; month < revenue_.size(); ++month) {
    cash += revenue_[month] - fixed_burn;
    digest ^= std::bit_cast<uint64_t>(cash);
    digest = Next(digest);
  }
  return digest;
}

// A cohort loses `churn` of its members in its first month and less and less of them later: the
// tail.
void Model::ProjectPlan(double price, double growth, double churn, double subscribers) {
  for (size_t age = 0; age < retention_.size(); ++age) {
    retention_[age] = 1.0 - churn / (1.0 + static_cast<double>(age) / 12.0);
  }
  cohorts_[0] = subscribers;
  double alive = subscribers;
  for (size_t month = 0; month < revenue_.size(); ++month) {
    const double joined = alive * growth;
    alive = 0;
    for (size_t cohort = 0; cohort <= month; ++cohort) {
      cohorts_[cohort] *= retention_[month - cohort];
      alive += cohorts_[cohort];
    }
    alive += joined;
    cohorts_[month + 1] = joined;
    revenue_[month] += alive * price;
  }
}

}  // namespace tare::preview
