// The files that go with the experiment's format: schema, documentation, examples, starter.

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/files.h"
#include "coordinator/experiment/spelling.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/experiment/experiment_text.h"

namespace tare::coordinator {
namespace {

std::string SourceFile(const std::string& path) {
  const std::string full = absl::StrCat(getenv("TARE_SOURCE"), "/", path);
  auto content = ReadFile(full);
  EXPECT_TRUE(content.ok()) << content.status();
  return content.ok() ? *content : "";
}

TEST(Schema, IsTheOneThatIsCheckedIn) {
  const std::string path = "docs/experiment.schema.json";
  const std::string made = MakeJsonSchema();
  if (getenv("TARE_UPDATE") != nullptr) {
    ASSERT_TRUE(WriteFile(absl::StrCat(getenv("TARE_SOURCE"), "/", path), made).ok());
  }
  EXPECT_EQ(SourceFile(path), made)
      << "the experiment's format has changed: refresh the file with TARE_UPDATE=1 and this test";
}

TEST(Schema, DescribesEveryKeyAndForbidsOthers) {
  const auto schema = nlohmann::json::parse(MakeJsonSchema());
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], nlohmann::json({"name", "workload", "arms"}));
  for (const auto& [key, property] : schema["properties"].items()) {
    EXPECT_TRUE(property.contains("description")) << key;
  }
  const auto& design = schema["properties"]["design"]["properties"];
  EXPECT_EQ(design["order"]["enum"], nlohmann::json({"random", "balanced", "fixed", "blocked"}));
  EXPECT_EQ(design["sets"]["maximum"], 1'000'000);
  EXPECT_EQ(schema["properties"]["arms"]["additionalProperties"]["additionalProperties"], false);
}

// Keys of a message and of the messages in it.
void CollectKeys(const google::protobuf::Descriptor& type, std::vector<std::string>* keys) {
  for (int i = 0; i < type.field_count(); ++i) {
    const auto& field = *type.field(i);
    if (&type != v1::Experiment::descriptor() && field.name() == "name") continue;
    if (&type == v1::ConfigValue::descriptor() || SoleFieldOf(type) != nullptr) return;
    keys->push_back(KeyOf(field));
    if (field.message_type() != nullptr) CollectKeys(*field.message_type(), keys);
    if (field.enum_type() == nullptr) continue;
    for (const std::string& word : WordsOf(*field.enum_type())) keys->push_back(word);
  }
}

TEST(Documentation, MentionsEveryKeyAndWord) {
  const std::string text = SourceFile("docs/experiment.md");
  std::vector<std::string> keys;
  CollectKeys(*v1::Experiment::descriptor(), &keys);
  ASSERT_GT(keys.size(), 30u);
  for (const std::string& key : keys) {
    EXPECT_NE(text.find(absl::StrCat("`", key, "`")), std::string::npos) << key;
  }
}

TEST(Documentation, HasExperimentsThatRead) {
  for (const char* path : {"docs/experiment.md", "docs/gate.md"}) {
    const std::vector<std::string> parts = absl::StrSplit(SourceFile(path), "```yaml\n");
    ASSERT_GE(parts.size(), 3u) << path;
    for (size_t i = 1; i < parts.size(); ++i) {
      EXPECT_EQ(ErrorOf(parts[i].substr(0, parts[i].find("```"))), "") << parts[i];
    }
  }
}

TEST(Examples, Read) {
  int count = 0;
  const std::string folder = absl::StrCat(getenv("TARE_SOURCE"), "/examples");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    EXPECT_EQ(ErrorOf(SourceFile(absl::StrCat("examples/", entry.path().filename().string()))), "")
        << entry.path();
  }
  EXPECT_GE(count, 4);
}

TEST(Starter, IsTheExampleAndReads) {
  EXPECT_EQ(StarterExperiment(), SourceFile("examples/starter.yaml"));
  EXPECT_EQ(ErrorOf(StarterExperiment()), "");
}

}  // namespace
}  // namespace tare::coordinator
