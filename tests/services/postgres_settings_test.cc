#include "agent/services/postgres_settings.h"

#include "base/status.h"
#include "gtest/gtest.h"

namespace tare::agent {
namespace {

using Settings = google::protobuf::RepeatedPtrField<v1::ConfigValue>;

Settings TextSetting(const std::string& name, const std::string& value) {
  Settings settings;
  settings.Add()->set_name(name);
  settings[0].set_text(value);
  return settings;
}

TEST(PostgresSettings, AreQuotedAsTheServerReadsThem) {
  Settings settings;
  settings.Add()->set_name("Work_Mem");
  settings[0].set_text("64MB");
  settings.Add()->set_name("max_connections");
  settings[1].set_integer(20);
  settings.Add()->set_name("random_page_cost");
  settings[2].set_real(1.1);
  settings.Add()->set_name("fsync");
  settings[3].set_flag(false);
  settings.Add()->set_name("search_path");
  settings[4].mutable_list()->add_values(std::string("a"));
  settings[4].mutable_list()->add_values(std::string("b"));
  settings.Add()->set_name("my.text");
  settings[5].set_text("it's a\\b\nc = 'd'");
  EXPECT_EQ(RenderSettings(settings).value(),
            "work_mem = '64MB'\n"
            "max_connections = '20'\n"
            "random_page_cost = '1.1'\n"
            "fsync = 'off'\n"
            "search_path = 'a,b'\n"
            "my.text = 'it''s a\\\\b\\nc = ''d'''\n");
}

TEST(PostgresSettings, AreRefusedWithTheReason) {
  const struct {
    std::string name;
    std::string value;
    std::string text;
  } cases[] = {
      {"a b", "1", "'a b' is not the name of a server setting"},
      {"x'\ny", "1", "'x'\ny' is not the name of a server setting"},
      {"", "1", "'' is not the name of a server setting"},
      {"PORT", "5432",
       "server setting 'port' is decided by tare\n"
       "  try: remove it, or give an existing server with 'dsn'"},
      {"include", "/etc/x",
       "server setting 'include' is decided by tare\n"
       "  try: remove it, or give an existing server with 'dsn'"},
      {"archive_command", "rm",
       "server setting 'archive_command' would run other programs\n"
       "  detail: agents run only programs that their owner allowed\n"
       "  try: remove it, or give an existing server with 'dsn'"},
      {"shared_preload_libraries", "auto_explain,/tmp/x.so",
       "server setting 'shared_preload_libraries' would run other programs\n"
       "  detail: agents run only programs that their owner allowed\n"
       "  try: remove it, or give an existing server with 'dsn'"},
  };
  for (const auto& c : cases) {
    const absl::Status status = RenderSettings(TextSetting(c.name, c.value)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(FormatError(status), c.text);
  }
  EXPECT_TRUE(RenderSettings(TextSetting("shared_preload_libraries", "auto_explain")).ok());
}

}  // namespace
}  // namespace tare::agent
