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
