// Goal: docs/report.md names every field that programs may read.

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {
namespace {

TEST(ReportDocument, NamesEveryFieldOfReportAndItsParts) {
  const absl::StatusOr<std::string> document =
      ReadFile(absl::StrCat(getenv("TARE_SOURCE"), "/docs/report.md"));
  ASSERT_TRUE(document.ok()) << document.status();
  for (const google::protobuf::Descriptor* message :
       {v1::Report::descriptor(), v1::ReportComparison::descriptor(), v1::RoundTrips::descriptor(),
        v1::ProxyReport::descriptor(), v1::WarmUpTable::descriptor(),
        v1::Steadiness::descriptor(), v1::RoundSpread::descriptor(),
        v1::DecisionScan::descriptor(), v1::DecisionScanRow::descriptor(),
        v1::DecisionScanCell::descriptor()}) {
    for (int i = 0; i < message->field_count(); ++i) {
      EXPECT_THAT(*document, testing::HasSubstr(absl::StrCat("`", message->field(i)->name(), "`")));
    }
  }
}

}  // namespace
}  // namespace tare::coordinator
