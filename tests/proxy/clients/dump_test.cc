// pg_dump into pg_restore, both through the proxy.

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

constexpr char kFill[] =
    "create table words (id int primary key, word text, bits bytea, list float8[]);"
    "insert into words select i, nullif(repeat(md5(i::text), i % 90), ''),"
    " decode(repeat(md5(i::text), i % 50), 'hex'), array[i / 7.0, null, 'nan']"
    " from generate_series(1, 5000) as i;"
    "create index on words (word);"
    "create view long_words as select id from words where length(word) > 1000;"
    "select lo_from_bytea(4711, decode(repeat('00ff', 300000), 'hex'))";

constexpr char kDigest[] =
    "select (select md5(string_agg(words::text, '|' order by id)) from words),"
    " (select count(*) from long_words), md5(lo_get(4711))";

class Dump : public PostgresProxiedTest {};

TEST_F(Dump, RestoresTheSameData) {
  AskServer("create database full_one");
  AskServer(kFill, "full_one");
  const std::string digest = AskServer(kDigest, "full_one");
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    AskServer("create database empty_one");
    ProxyProcess proxy = StartProxy(delay);
    const std::string programs = cluster_.programs();
    const Outcome outcome =
        Start("/bin/sh",
              {"-c", absl::StrCat(programs, "/pg_dump -Fc -d \"", Through(proxy, "full_one"),
                                  "\" | ", programs, "/pg_restore --exit-on-error -d \"",
                                  Through(proxy, "empty_one"), "\"")})
            .Wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    EXPECT_EQ(evidence.total().postgres().stopped(), "");
    // The dump closes each table's rows with a mark of its own.
    EXPECT_GT(evidence.total().postgres().copy_bytes_in(),
              evidence.total().postgres().copy_bytes_out());
    EXPECT_EQ(AskServer(kDigest, "empty_one"), digest);
    AskServer("drop database empty_one");
  }
}

}  // namespace
}  // namespace tare
