#include "agent/config_echo.h"

#include "base/status.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace tare::agent {
namespace {

template <typename Message>
Message Parse(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

const char kAsked[] = R"(arms { name: "a" runs: "a"
  config { name: "plans" integer: 40 } config { name: "rate" integer: 2 } })";

absl::Status Check(const std::string& echoed) {
  return CheckConfigEcho(Parse<v1::Setup>(kAsked), Parse<v1::WorkloadReady>(echoed));
}

TEST(ConfigEcho, AcceptsTheSameValuesAndMore) {
  EXPECT_TRUE(Check(R"(arms { name: "a" config { name: "months" integer: 60 }
      config { name: "rate" real: 2.0 } config { name: "plans" integer: 40 } })")
                  .ok());
}

TEST(ConfigEcho, NamesTheArmTheSettingAndBothValues) {
  EXPECT_EQ(FormatError(Check(R"(arms { name: "a" config { name: "plans" integer: 10 }
      config { name: "rate" integer: 2 } })")),
            "arm 'a': the workload did not take setting 'plans'\n"
            "  detail: asked for 40, it reports 10\n"
            "  try: check the setting's name and value against the workload's documentation");
  EXPECT_EQ(PartsOf(Check(R"(arms { name: "a" config { name: "plans" text: "40" } })")).detail,
            "asked for 40, it reports '40'");
  EXPECT_EQ(PartsOf(Check(R"(arms { name: "a" config { name: "plans" integer: 40 } })")).detail,
            "asked for 2, it reports no such setting");
}

TEST(ConfigEcho, CountsArms) {
  EXPECT_EQ(Check("").message(), "the workload reports 0 arms, asked for 1");
}

}  // namespace
}  // namespace tare::agent
