#include "workloads/load/settings.h"

#include <cstdlib>
#include <regex>
#include <set>

#include "base/files.h"
#include "gtest/gtest.h"

namespace tare::load {
namespace {

using Words = std::vector<std::string>;

constexpr char kServer[] = "127.0.0.1:40123";

sdk::ConfigEntries With(sdk::ConfigEntries more) {
  sdk::ConfigEntries entries = {{"url", "/loan"}, {"rate", "500/s"}};
  for (auto& [name, value] : more) {
    std::erase_if(entries, [&name = name](const auto& entry) { return entry.first == name; });
    entries.emplace_back(name, std::move(value));
  }
  return entries;
}

std::variant<sdk::Error, Settings> Read(sdk::ConfigEntries entries, Words uses = {},
                                        std::vector<sdk::ServiceAddress> services = {
                                            {"server", kServer}}) {
  sdk::Arm arm{"a", sdk::Config("a", std::move(entries)), std::move(uses)};
  return ReadSettings(arm, services);
}

std::string ErrorOf(const std::variant<sdk::Error, Settings>& read) {
  const auto* error = std::get_if<sdk::Error>(&read);
  return error == nullptr ? "" : error->message + " | " + error->detail;
}

TEST(Settings, HaveDefaults) {
  const Settings settings = std::get<Settings>(Read(With({})));
  EXPECT_EQ(settings.server.host, kServer);
  EXPECT_EQ(settings.method, "GET");
  EXPECT_FALSE(settings.is_closed);
  EXPECT_EQ(settings.schedule, Schedule::kConstant);
  EXPECT_EQ(settings.rate, 500);
  EXPECT_EQ(settings.connections_max, 64);
  EXPECT_EQ(settings.timeout_ns, 1'000'000'000);
  EXPECT_FALSE(settings.is_spinning);
  EXPECT_EQ(settings.errors_max, 0);
  EXPECT_EQ(settings.lag_max_ns, 2'000'000);
  EXPECT_TRUE(settings.work.empty());
  const Settings closed = std::get<Settings>(Read({{"url", "/loan"}, {"loop", "closed"}}));
  EXPECT_TRUE(closed.is_closed);
  EXPECT_EQ(closed.connections_max, 1);
}

TEST(Settings, AreReadInAllTheirForms) {
  const Settings settings =
      std::get<Settings>(Read({{"url", "http://127.0.0.1:40123/loan?member={n}"},
                               {"method", "POST"},
                               {"body", "{\"plain\":\"text\"}"},
                               {"headers", Words{"Accept: text/plain", "X-Empty: "}},
                               {"schedule", "steps"},
                               {"steps", Words{"500/s for 2s", "900/s for 1s"}},
                               {"connections", int64_t{3}},
                               {"timeout", "250ms"},
                               {"wait", "spin"},
                               {"errors_max", int64_t{7}},
                               {"lag_max", "100us"},
                               {"work", "/metrics"}}));
  Random random(1, 1);
  EXPECT_EQ(settings.target.Render(5, random), "/loan?member=5");
  EXPECT_EQ(settings.body, "{\"plain\":\"text\"}");
  ASSERT_EQ(settings.headers.size(), 2u);
  EXPECT_EQ(settings.headers[1], (std::pair<std::string, std::string>("X-Empty", "")));
  ASSERT_EQ(settings.steps.size(), 2u);
  EXPECT_EQ(settings.steps[1].rate, 900);
  EXPECT_EQ(settings.timeout_ns, 250'000'000);
  EXPECT_TRUE(settings.is_spinning);
  EXPECT_EQ(settings.lag_max_ns, 100'000);
  EXPECT_EQ(settings.work, "/metrics");
}

TEST(Settings, ThatAreWrongSayWhatIsAccepted) {
  const std::pair<sdk::ConfigEntries, std::string> cases[] = {
      {{{"rate", "1/s"}}, "'url' is missing | expected a path such as /loan?member=U-{n%500}"},
      {{{"url", "/loan"}},
       "'rate' is missing | expected a number with /s, from 0.001/s to "
       "10000000/s"},
      {With({{"rate", "500"}}),
       "config 'rate' is '500' | expected a number with /s, from 0.001/s "
       "to 10000000/s"},
      {With({{"rate", int64_t{500}}}), "config 'rate' is 500 | expected a text"},
      {With({{"url", "/{m}"}}),
       "config 'url': '{m}' at position 2 | accepted: {n}, {n%K}, "
       "{random%K} with K from 1, and {{ for a brace"},
      {With({{"url", "https://127.0.0.1:40123/"}}),
       "config 'url' is 'https://127.0.0.1:40123/' | expected a path such as /loan?member=1, or "
       "http://…"},
      {With({{"url", "http://127.0.0.1:9/loan"}}),
       "config 'url' asks '127.0.0.1:9', which is not the service of this arm | the service is at "
       "'127.0.0.1:40123'; a path alone is enough"},
      {With({{"method", "TRACE"}}),
       "config 'method' is 'TRACE' | expected one of: GET, HEAD, POST, PUT, PATCH, DELETE, "
       "OPTIONS"},
      {With({{"headers", Words{"Accept"}}}),
       "config 'headers' has 'Accept' | expected such as 'Accept: text/plain'"},
      {With({{"headers", Words{"A: b\r\nC: d"}}}),
       "config 'headers' has 'A: b\r\nC: d' | expected such as 'Accept: text/plain'"},
      {With({{"headers", Words{"host: elsewhere"}}}),
       "config 'headers' has 'host: elsewhere' | Host, Connection, Content-Length and "
       "Transfer-Encoding are set by tare-load"},
      {With({{"body", std::string(size_t{1} << 21, 'x')}}),
       "config 'body' has 2097152 bytes | expected at most 1048576"},
      {With({{"steps", Words{"1/s for 1s"}}}),
       "config 'steps' has no meaning with schedule: constant | use schedule: steps"},
      {With({{"schedule", "steps"}}),
       "config 'rate' has no meaning with schedule: steps | each step has its own"},
      {{{"url", "/"}, {"schedule", "steps"}},
       "config 'steps' has 0 steps | expected from 1 to 1000, such as '500/s for 2s'"},
      {{{"url", "/"}, {"schedule", "steps"}, {"steps", Words{"fast"}}},
       "config 'steps': 'fast' is not a step | expected such as '500/s for 2s'"},
      {With({{"loop", "closed"}}),
       "config 'rate' has no meaning in a closed loop | there each connection sends when its reply "
       "has come"},
      {With({{"connections", int64_t{0}}}),
       "config 'connections' is 0 | expected an integer from 1 to 4096"},
      {With({{"timeout", "0s"}}),
       "config 'timeout' is '0s' | expected a number with ns, us, ms, s or min, such as 250us"},
      {With({{"lag_max", "2"}}),
       "config 'lag_max' is '2' | expected a number with ns, us, ms, s or min, such as 250us"},
      {With({{"work", "metrics"}}),
       "config 'work' is 'metrics' | expected a path such as /metrics"},
  };
  for (const auto& [entries, error] : cases) {
    EXPECT_EQ(ErrorOf(Read(entries)), "arm 'a': " + error);
  }
}

TEST(Settings, FindTheServiceOfTheArm) {
  const std::vector<sdk::ServiceAddress> two = {{"db", "127.0.0.1:1"}, {"server", kServer}};
  EXPECT_EQ(std::get<Settings>(Read(With({}), {"server", "db"}, two)).server.text, kServer);
  EXPECT_EQ(ErrorOf(Read(With({}), {}, two)),
            "arm 'a': which of 2 services to load? | name one under 'uses'");
  EXPECT_EQ(ErrorOf(Read(With({}), {"web"}, two)),
            "arm 'a': there is no service to load | name a server under 'uses'");
  EXPECT_EQ(ErrorOf(Read(With({}), {}, {})),
            "arm 'a': there is no service to load | name a server under 'uses'");
}

TEST(Settings, TakeAddressesInAllTheirForms) {
  const std::pair<const char*, const char*> hosts[] = {{"127.0.0.1:80", "127.0.0.1:80"},
                                                       {"http://127.0.0.1:80", "127.0.0.1:80"},
                                                       {"[::1]:80", "[::1]:80"},
                                                       {"unix:/run/s", "localhost"}};
  for (const auto& [text, host] : hosts) {
    const auto read = Read(With({}), {}, {{"server", text}});
    ASSERT_EQ(ErrorOf(read), "") << text;
    EXPECT_EQ(std::get<Settings>(read).server.host, host);
  }
  const std::string expected = " | expected host:port, http://host:port or unix:/path";
  EXPECT_EQ(ErrorOf(Read(With({}), {}, {{"s", "host=/run/db"}})),
            "arm 'a': service 's': address 'host=/run/db' has no host and port" + expected);
  EXPECT_EQ(ErrorOf(Read(With({}), {}, {{"s", "unix:"}})),
            "arm 'a': service 's': address 'unix:' is no unix socket | expected unix:/path of at "
            "most 107 bytes");
}

// The first words of lines that are indented by two, or of table rows.
std::set<std::string> SettingsIn(const std::string& text, const std::regex& line) {
  std::set<std::string> names;
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i) {
    names.insert((*i)[1].str());
  }
  return names;
}

TEST(Settings, AreThoseOfTheirDocument) {
  const std::string page = ReadFile(std::string(getenv("TARE_SOURCE")) + "/docs/load.md").value();
  const std::regex row("\n\\| `([a-z_]+)` \\|");
  const std::regex line("(?:^|\n)  ([a-z_]+) ");
  const std::string settings = page.substr(page.find("## Settings"));
  const std::set<std::string> described = SettingsIn(DescribeSettings(), line);
  EXPECT_EQ(SettingsIn(settings.substr(0, settings.find("\n## ")), row), described);
  EXPECT_EQ(described.size(), 14u);
}

}  // namespace
}  // namespace tare::load
