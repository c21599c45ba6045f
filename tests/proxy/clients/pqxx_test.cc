// libpqxx through the proxy, with the API of version 6 (Debian 12) or of version 7 (Debian 13).

#include <pqxx/pqxx>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

constexpr int kRows = 20'000;

std::string TextOf(int number) { return absl::StrCat("row\t", number, "\n\\"); }

#if PQXX_VERSION_MAJOR < 7
void StreamTo(pqxx::work& work) {
  pqxx::stream_to stream(work, "streamed");
  for (int i = 0; i < kRows; ++i) stream << std::make_tuple(i, TextOf(i));
  stream.complete();
}
int StreamFrom(pqxx::work& work) {
  pqxx::stream_from stream(work, "streamed");
  std::tuple<int, std::string> row;
  int count = 0;
  while (stream >> row) count += row == std::make_tuple(count, TextOf(count)) ? 1 : 0;
  stream.complete();
  return count;
}
int Twice(pqxx::work& work, int number) {
  return work.exec_prepared("twice", number)[0][0].as<int>();
}
#else
void StreamTo(pqxx::work& work) {
  pqxx::stream_to stream = pqxx::stream_to::table(work, {"streamed"});
  for (int i = 0; i < kRows; ++i) stream << std::make_tuple(i, TextOf(i));
  stream.complete();
}
int StreamFrom(pqxx::work& work) {
  int count = 0;
  for (const auto& [number, text] : work.stream<int, std::string>("select * from streamed")) {
    count += number == count && text == TextOf(count) ? 1 : 0;
  }
  return count;
}
int Twice(pqxx::work& work, int number) {
  return work.exec(pqxx::prepped("twice"), pqxx::params(number))[0][0].as<int>();
}
#endif

class Pqxx : public PostgresProxiedTest {};

TEST_F(Pqxx, PreparesAndStreamsInOneTransaction) {
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    ProxyProcess proxy = StartProxy(delay);
    {
      pqxx::connection connection(Through(proxy));
      connection.prepare("twice", "select 2 * $1::int");
      pqxx::work work(connection);
      work.exec("create temporary table streamed (number int, text text)");
      for (int i = 0; i < 20; ++i) EXPECT_EQ(Twice(work, i), 2 * i);
      StreamTo(work);
      EXPECT_EQ(StreamFrom(work), kRows);
      EXPECT_EQ(work.exec("select count(*) from streamed")[0][0].as<int>(), kRows);
      work.commit();
    }
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    const v1::PostgresTraffic& postgres = evidence.total().postgres();
    EXPECT_EQ(postgres.stopped(), "");
    EXPECT_EQ(postgres.executes(), 20);
    EXPECT_GT(postgres.copy_bytes_in(), 0);
    EXPECT_EQ(postgres.copy_bytes_out(), postgres.copy_bytes_in());
  }
}

}  // namespace
}  // namespace tare
