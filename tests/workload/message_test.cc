// What the agent makes of the lines that a process may write.

#include "agent/workload/message.h"

#include "agent/workload/channel.h"
#include "base/status.h"
#include "gtest/gtest.h"

namespace tare::agent {
namespace {

const std::vector<std::string> kArms = {"a", "b"};

v1::Measure Asked() {
  v1::Measure measure;
  measure.set_block(3);
  measure.add_arms(1);
  measure.add_arms(0);
  measure.add_delay_ns(0);
  measure.add_delay_ns(500);
  return measure;
}

// `{"samples":…}` as asked, with `from` replaced by `to`.
std::string SamplesWith(const std::string& from, const std::string& to) {
  std::string line = R"({"samples":{"block":3,"arm":[1,0],"start_ns":[5,90],"value_ns":[80,70],)"
                     R"("applied_ns":[501,0],"steps":{"x":[1,2]}}})";
  const size_t position = line.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  return line.replace(position, from.size(), to);
}

absl::Status Parse(const std::string& line) {
  if (line.find("\"hello\"") != std::string::npos) return ParseHello(line).status();
  if (line.find("\"ready\"") != std::string::npos) return ParseReady(line, kArms).status();
  if (line.find("\"evidence\"") != std::string::npos) return ParseEvidence(line, kArms).status();
  if (line.find("\"bye\"") != std::string::npos) return ParseBye(line);
  return ParseSamples(line, Asked()).status();
}

struct Rejected {
  std::string line;
  std::string reason;
};

TEST(WorkloadMessage, RefusesWhatIsNotTheProtocol) {
  const std::string deep =
      R"({"samples":{"steps":)" + std::string(12, '[') + std::string(12, ']') + "}}";
  const Rejected rejected[] = {
      {"", "not JSON"},
      {"Loading model...", "not JSON"},
      {"[1]", "not a JSON object"},
      {R"({"samples":{}} {"samples":{}})", "not JSON"},
      {"{\"samples\":{\"block\":NaN}}", "not JSON"},
      {"{\"samples\":\"\xff\"}", "not JSON"},
      {deep, "nesting deeper than 8"},
      {R"({"samples":{"block":3,"block":3}})", "key 'block' twice"},
      {R"({"samples":{},"more":{}})", "expected one key, 'samples', got 2"},
      {"{}", "expected one key, 'samples', got 0"},
      {R"({"sample":{}})", "expected 'samples', got 'sample'"},
      {R"({"samples":7})", "samples is not an object"},
      {R"({"error":7})", "error is not an object"},
      {R"({"hello":{"protocol":1,"tick_ns":-1}})",
       "'hello.tick_ns' is not an integer of at least 0"},
      {R"({"hello":{"protocol":1,"tick":1}})", "unknown field 'hello.tick'"},
      {R"({"bye":{"now":1}})", "unknown field 'bye.now'"},
      {R"({"ready":{"arms":[{"name":"a"}]}})", "ready has 1 arms, setup had 2"},
      {R"({"ready":{"arms":[{"name":"b"},{"name":"a"}]}})",
       "ready.arms[0] is 'b', setup had 'a' there"},
      {R"({"ready":{"arms":["a","b"]}})", "ready.arms[0] is not an object"},
      {R"({"ready":{"arms":[{"name":"a","config":{"x":null}}]}})",
       "config 'x' is no text, number, flag or list of texts"},
      {R"({"ready":{"arms":[{"name":"a","config":{"x":[1]}}]}})",
       "config 'x' holds a list of something else than texts"},
      {R"({"ready":{"arms":[{"name":"a","uses":["db",1]}]}})", "ready: 'uses' is no list of texts"},
      {SamplesWith("\"block\":3", "\"block\":2"), "samples are of block 2, measure was block 3"},
      {SamplesWith("\"block\":3", "\"block\":3,\"is_warmup\":true"),
       "samples are of warm-up block 3, measure was block 3"},
      {SamplesWith("[1,0]", "[0,1]"), "sample 0 is of arm 0, measure asked for arm 1"},
      {SamplesWith("[1,0]", "[1]"), "column 'arm' has 1 entries, measure asked for 2"},
      {SamplesWith("[5,90]", "[5,90,95]"), "column 'start_ns' has 3 entries, measure asked for 2"},
      {SamplesWith("[80,70]", "[80]"), "column 'value_ns' has 1 entries, measure asked for 2"},
      {SamplesWith("[501,0]", "[]"), "column 'applied_ns' has 0 entries, measure asked for 2"},
      {SamplesWith("[1,2]", "[1,2,3]"), "column 'steps.x' has 3 entries, measure asked for 2"},
      {SamplesWith("[5,90]", "[90,5]"), "sample 1 started before sample 0: time went backwards"},
      {SamplesWith("[80,70]", "[80,-7]"), "'samples.value_ns[1]' is not an integer of at least 0"},
      {SamplesWith("[80,70]", "[80,7.5]"), "'samples.value_ns[1]' is not an integer of at least 0"},
      {SamplesWith("[80,70]", "[80,\"7\"]"),
       "'samples.value_ns[1]' is not an integer of at least 0"},
      {SamplesWith("[80,70]", "[80,99999999999999999999]"),
       "'samples.value_ns[1]' is not an integer of at least 0"},
      {SamplesWith("value_ns", "vale_ns"), "unknown field 'samples.vale_ns'"},
      {R"({"evidence":{"arms":[{"arm":"a"},{"arm":"c"}]}})",
       "evidence.arms[1] is 'c', setup had 'b' there"},
      {R"({"evidence":{}})", "evidence has 0 arms, setup had 2"},
      {R"({"evidence":{"arms":[{"arm":"a","counters":{"n":"1"}}]}})",
       "'counters.n' is not an integer of at least -9223372036854775808"},
      {R"({"evidence":{"arms":[{"arm":"a","digests":{"n":1}}]}})", "'digests.n' is not a text"},
  };
  for (const Rejected& item : rejected) {
    const absl::Status status = Parse(item.line);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << item.line;
    const ErrorParts parts = PartsOf(status);
    EXPECT_EQ(parts.what, "workload wrote a line that is not the workload protocol");
    EXPECT_EQ(parts.detail.substr(0, parts.detail.find("; the line is")), item.reason) << item.line;
  }
}

TEST(WorkloadMessage, AcceptsTheAskedSamples) {
  EXPECT_TRUE(ParseSamples(SamplesWith("[80,70]", "[80,70]"), Asked()).ok());
}

TEST(WorkloadMessage, TakesMissingFieldsAsDefaults) {
  const v1::WorkloadEvidence evidence =
      ParseEvidence(R"({"evidence":{"arms":[{"arm":"a"},{"arm":"b","records":7}]}})", kArms)
          .value();
  EXPECT_EQ(evidence.arms(0).checksum(), "");
  EXPECT_EQ(evidence.arms(1).records(), 7);
}

TEST(WorkloadMessage, QuotesTheBeginningOfAStrangeLine) {
  EXPECT_EQ(PartsOf(Parse("\x01" + std::string(200, 'x'))).detail,
            "not JSON; the line is '?" + std::string(79, 'x') + "...'");
}

TEST(WorkloadMessage, RefusesAnotherVersionOfTheProtocol) {
  const absl::Status status = ParseHello(R"({"hello":{"protocol":2,"tock":1}})").status();
  EXPECT_EQ(FormatError(status),
            "workload speaks protocol 2, this agent speaks 1\n"
            "  try: build the workload with the SDK of this tare");
}

TEST(WorkloadMessage, PassesOnWhatTheWorkloadSaysIsWrong) {
  const absl::Status status =
      ParseReady(
          R"({"error":{"code":"different-work","message":"arm 'a': no plan","detail":"needs 1"}})",
          kArms)
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(FormatError(status), "arm 'a': no plan\n  detail: needs 1");
  EXPECT_EQ(WorkloadErrorCode(status), "different-work");
  EXPECT_EQ(WorkloadErrorCode(absl::InternalError("x")), "");
}

}  // namespace
}  // namespace tare::agent
