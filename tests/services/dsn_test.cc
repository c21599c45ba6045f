#include "agent/services/dsn.h"

#include "agent/services/secrets.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tare::agent {
namespace {

TEST(Dsn, IsTakenApart) {
  const struct {
    std::string text;
    std::string conninfo;
    std::string endpoint;
  } cases[] = {
      {"host=h port=5433 user=u dbname=d", "user='u' dbname='d' host='h' port='5433' ", "h:5433/d"},
      {"postgresql://u@h/d", "user='u' dbname='d' host='h' ", "h:5432/d"},
      {"postgres://u:p%40ss@h:1/d", "user='u' password='p@ss' dbname='d' host='h' port='1' ",
       "h:1/d"},
      {"user=u password='it\\'s'", "user='u' password='it\\'s' ", "local socket:5432/u"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<Dsn> dsn = ParseDsn(c.text);
    ASSERT_TRUE(dsn.ok()) << c.text;
    EXPECT_EQ(dsn->conninfo, c.conninfo);
    EXPECT_EQ(dsn->endpoint, c.endpoint);
  }
}

TEST(Dsn, LeadsToItsServerByWayOfAProxy) {
  const struct {
    std::string text;
    std::string server;
    std::string conninfo;
  } cases[] = {
      {"host=127.0.0.1 port=5433 user=u password=p dbname=d", "127.0.0.1:5433",
       "dbname='d' password='p' user='u' host='127.0.0.1' hostaddr='127.0.0.1' port='9' "},
      // The name stays, for the certificate to be compared with.
      {"postgresql://u:p%20q@db.example.org/d?sslmode=verify-full", "db.example.org:5432",
       "dbname='d' password='p q' sslmode='verify-full' user='u' host='db.example.org' "
       "hostaddr='127.0.0.1' port='9' "},
      {"host=db.example.org hostaddr=10.0.0.7", "10.0.0.7:5432",
       "host='db.example.org' hostaddr='127.0.0.1' port='9' "},
      {"hostaddr=::1 port=1", "[::1]:1", "host='127.0.0.1' hostaddr='127.0.0.1' port='9' "},
      {"host=/run/postgresql port=5434", "unix:/run/postgresql/.s.PGSQL.5434",
       "host='127.0.0.1' hostaddr='127.0.0.1' port='9' "},
  };
  for (const auto& c : cases) {
    const Dsn dsn = ParseDsn(c.text).value();
    EXPECT_EQ(ServerOf(dsn).value(), c.server) << c.text;
    EXPECT_EQ(ConninfoByWayOf(dsn, 9), c.conninfo) << c.text;
  }
}

TEST(Dsn, HasToNameOneServerForAProxy) {
  EXPECT_EQ(FormatError(ServerOf(ParseDsn("user=u").value()).status()),
            "'dsn' names no host\n"
            "  detail: a proxy has to know where to connect to\n"
            "  try: add host=… to it, or host=/run/postgresql for a local socket");
  for (const char* text : {"host=a,b", "postgresql://a:1,b:2/d"}) {
    EXPECT_EQ(FormatError(ServerOf(ParseDsn(text).value()).status()),
              "'dsn' names several hosts\n"
              "  detail: a proxy stands in front of one server\n"
              "  try: name one of them");
  }
}

TEST(Dsn, ItsPasswordIsFoundInEverySpelling) {
  for (const char* text : {
           "postgresql://u:s3cr%65t@h/d",
           "postgresql://u@h/d?password=s3cr%65t&sslmode=disable",
           "host=h password=s3cret",
           "host=h password='s3cret'",
           "postgresql:///d?host=/tmp&password=s3cret",
       }) {
    const absl::StatusOr<Dsn> dsn = ParseDsn(text);
    ASSERT_TRUE(dsn.ok()) << text;
    EXPECT_THAT(dsn->secrets, testing::Contains("s3cret")) << text;
    const std::string shown = RedactSecrets(std::string(text) + " " + dsn->conninfo, dsn->secrets);
    EXPECT_THAT(shown, testing::Not(testing::HasSubstr("s3cr"))) << text;
    EXPECT_THAT(dsn->endpoint, testing::Not(testing::HasSubstr("s3cr")));
  }
}

TEST(Dsn, RefusalQuotesNothing) {
  for (const char* text : {
           "s3cret",
           "password s3cret",
           "postgresql://u:p@h/d?s3cret=1",
           "host=h password='s3cret",
       }) {
    const absl::Status status = ParseDsn(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(FormatError(status),
              "'dsn' is not a libpq connection string\n"
              "  detail: accepted: 'host=… port=… user=… password=… dbname=…' or "
              "'postgresql://user:password@host:port/dbname'\n"
              "  try: check it with psql");
  }
}

}  // namespace
}  // namespace tare::agent
