// Why tare-loan cannot serve, in the three parts of every message of tare.

#ifndef TARE_WORKLOADS_LOAN_FAILURE_H_
#define TARE_WORKLOADS_LOAN_FAILURE_H_

#include <string>

namespace tare::loan {

// Functions that can go wrong return std::optional<Failure>: nothing when all is well.
struct Failure {
  std::string what;    // one line, the object first
  std::string detail;  // expected against got; may be empty
  std::string action;  // what to try; may be empty
};

}  // namespace tare::loan

#endif  // TARE_WORKLOADS_LOAN_FAILURE_H_
