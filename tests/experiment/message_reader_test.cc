// The reader on messages other than Experiment, for rules that no experiment key needs yet.

#include "coordinator/experiment/message_reader.h"

#include "base/status.h"
#include "gtest/gtest.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {
namespace {

TEST(MessageReader, RefusesASecondMemberOfAOneof) {
  Violations violations;
  PositionMap positions;
  const auto root = ParseYaml("drain: {}\nrelease: { run: r }\n", &violations);
  ASSERT_TRUE(root.has_value());
  v1::CoordinatorMessage message;
  ReadMessage(*root, &message, &positions, &violations);
  EXPECT_EQ(FormatError(violations.ToStatus("x.yaml")),
            "x.yaml:2:1: 'drain' and 'release' exclude each other\n"
            "  try: remove one of the two");
  EXPECT_TRUE(message.has_drain());
}

TEST(MessageReader, KnowsWhereKeysAndValuesStand) {
  Violations violations;
  PositionMap positions;
  const auto root = ParseYaml("release:\n  run: r\n", &violations);
  ASSERT_TRUE(root.has_value());
  v1::CoordinatorMessage message;
  ReadMessage(*root, &message, &positions, &violations);
  EXPECT_EQ(positions.OfKey("release.run").line, 2);
  EXPECT_EQ(positions.OfKey("release.run").column, 3);
  EXPECT_EQ(positions.OfValue("release.run").column, 8);
  EXPECT_FALSE(positions.Contains("drain"));
}

}  // namespace
}  // namespace tare::coordinator
