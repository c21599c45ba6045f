// Where spread arises: in the samples, between processes, between hosts.
//
// For nested levels: every value belongs to one group of the first level above it (a process),
// every such group to one of the next (a host), and so on. Balanced or not: with equal counts the
// result is the table of Kalibera and Jones, otherwise that of Henderson's first method. Not for
// crossed groups, such as rounds that every host takes part in.
//
// Pure functions; safe to call from any thread.
// Source: Kalibera and Jones, "Rigorous benchmarking in reasonable time" (2013); Henderson,
// "Estimation of variance and covariance components" (1953), method 1; Searle, Casella and
// McCulloch, "Variance Components" (1992), for expected sums of squares of unequal counts.

#ifndef TARE_STATS_VARIANCE_COMPONENTS_H_
#define TARE_STATS_VARIANCE_COMPONENTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::stats {

struct NestedValues {
  std::span<const double> values;
  // By value: the square of the standard error that the value, an estimate, has by itself. Empty:
  // the values are what was measured.
  std::span<const double> squared_errors;
  // Of each level above the values, the lowest first: the group of every value. Any numbers; equal
  // ones are one group.
  std::span<const std::vector<size_t>> groups;
};

struct LevelVariance {
  size_t units = 0;         // groups of this level in all; of the lowest level the values
  double variance = 0;      // that this level adds by itself; 0 when clamped
  double unclamped = 0;     // the unbiased estimate
  bool is_clamped = false;  // it was negative
  // Of the mean of all values, for each unit of `variance`: with equal counts 1 / units.
  double weight = 0;
};

// The level of the values first, then those of `groups`. With `squared_errors` the variance of the
// first level is what is left of it without their mean (S² - mean se²).
// Errors: those of CheckValues with at least two values; InvalidArgument when lengths differ, a
// squared error is negative or not finite, or a group is part of two of the level above it;
// FailedPrecondition when a level has no more groups than the one above it (one value a process,
// one process a host), or the highest has only one group: its variance cannot be told.
absl::StatusOr<std::vector<LevelVariance>> VarianceComponents(const NestedValues& nested);

}  // namespace tare::stats

#endif  // TARE_STATS_VARIANCE_COMPONENTS_H_
