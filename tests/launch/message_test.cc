#include "agent/launch/message.h"

#include "gtest/gtest.h"

namespace tare::agent {
namespace {

TEST(Message, CarriesAnyBytes) {
  const Fields fields = {"start", "", std::string("a\0b", 3), "ü\n"};
  EXPECT_EQ(DecodeFields(EncodeFields(fields)), fields);
  EXPECT_EQ(DecodeFields(""), Fields{});
}

TEST(Message, RefusesPacketsThatAreCutShort) {
  const std::string packet = EncodeFields({"exited", "12"});
  for (size_t size : {packet.size() - 1, size_t{12}, size_t{3}}) {
    EXPECT_FALSE(DecodeFields(packet.substr(0, size)).has_value()) << size;
  }
}

TEST(Message, StartRequestComesBackWhole) {
  const StartRequest request{.command = {"/bin/x", "", "a b"},
                             .environment = {"A=1"},
                             .working_directory = "/w",
                             .user = "u",
                             .cpus = {3, 1},
                             .remove_after = {"/r"},
                             .remove_if_stopped = {"/s", "/t"},
                             .stop_signal = 3,
                             .grace_ms = 1500,
                             .has_protocol = true};
  const auto back = StartRequestOf(FieldsOf(request));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(FieldsOf(*back), FieldsOf(request));
  EXPECT_EQ(back->cpus, request.cpus);
  EXPECT_EQ(back->grace_ms, 1500);
  EXPECT_TRUE(back->has_protocol);
}

TEST(Message, StartRequestNeedsACommandAndNumbers) {
  EXPECT_FALSE(StartRequestOf(FieldsOf(StartRequest{})).has_value());
  StartRequest request;
  request.command = {"/bin/x"};
  Fields fields = FieldsOf(request);
  EXPECT_TRUE(StartRequestOf(fields).has_value());
  fields[8] = "15x";
  EXPECT_FALSE(StartRequestOf(fields).has_value());
  EXPECT_FALSE(StartRequestOf({kStart}).has_value());
}

TEST(Message, ExitReportComesBackWhole) {
  const ExitReport report{.wait_status = 256,
                          .user_ns = 1,
                          .system_ns = 2,
                          .memory_peak_bytes = 3,
                          .leftovers_count = 4,
                          .tail = "bye"};
  const auto back = ExitReportOf(FieldsOf(report));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(FieldsOf(*back), FieldsOf(report));
  EXPECT_FALSE(ExitReportOf({kDone, "x", "1", "2", "3", "4", ""}).has_value());
}

}  // namespace
}  // namespace tare::agent
