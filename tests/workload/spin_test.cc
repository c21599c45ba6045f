#include "workloads/spin/spin.h"

#include "gtest/gtest.h"

namespace tare {
namespace {

TEST(Spin, DoesWorkInProportionAndProvesIt) {
  Spin spin;
  sdk::TrialSetup setup;
  setup.arms.push_back({"a", sdk::Config("a", {{"work_us", int64_t{10}}})});
  setup.arms.push_back({"b", sdk::Config("b", {{"work_us", int64_t{30}}})});
  setup.arms.push_back({"none", sdk::Config("none", {{"work_us", int64_t{0}}})});
  ASSERT_FALSE(spin.Setup(setup).has_value());
  sdk::Steps steps;
  for (const int arm : {0, 1, 2}) {
    ASSERT_FALSE(spin.Run({arm, 0, true}, steps).has_value());
    ASSERT_FALSE(spin.Run({arm, 0, false}, steps).has_value());
  }
  std::vector<sdk::Evidence> evidence(3);
  ASSERT_FALSE(spin.Collect(evidence).has_value());
  EXPECT_EQ(evidence[2].records, 1);
  EXPECT_GT(evidence[0].records, 10);
  EXPECT_NEAR(static_cast<double>(evidence[1].records),
              3.0 * static_cast<double>(evidence[0].records), 3.0);
  EXPECT_EQ(evidence[0].checksum, evidence[1].checksum);
  EXPECT_EQ(evidence[0].checksum, evidence[2].checksum);
  EXPECT_EQ(evidence[0].checksum.size(), size_t{16});
}

}  // namespace
}  // namespace tare
