// Short ways to look into a report.

#ifndef TARE_TESTS_ANALYSIS_REPORT_MATCHERS_H_
#define TARE_TESTS_ANALYSIS_REPORT_MATCHERS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "coordinator/analysis/analysis.h"

namespace tare::coordinator {

inline v1::Report ReportOf(const RunData& data) {
  absl::StatusOr<v1::Report> report = Analyse(data);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : v1::Report();
}

inline std::vector<std::string> CodesOf(
    const google::protobuf::RepeatedPtrField<v1::Refusal>& refusals) {
  std::vector<std::string> codes;
  for (const v1::Refusal& refusal : refusals) codes.push_back(refusal.code());
  return codes;
}

inline std::vector<std::string> FlagsOf(const v1::ReportComparison& comparison) {
  return {comparison.flags().begin(), comparison.flags().end()};
}

inline v1::IntegrityCheck IntegrityOf(const v1::Report& report, const std::string& name) {
  for (const v1::IntegrityCheck& check : report.integrity()) {
    if (check.name() == name) return check;
  }
  ADD_FAILURE() << "no integrity check '" << name << "'";
  return v1::IntegrityCheck();
}

}  // namespace tare::coordinator

#endif  // TARE_TESTS_ANALYSIS_REPORT_MATCHERS_H_
