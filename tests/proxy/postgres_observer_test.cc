// Goal: every part of the protocol is counted right however it is cut, and whatever is no part of
// it ends the observation with a reason. Real conversations are in postgres_corpus_test.cc.

#include "proxy/postgres_observer.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/proxy/conversation.h"
#include "tests/proxy/postgres_messages.h"

namespace tare::proxy {
namespace {

using absl::StrCat;

Piece Client(std::string bytes) { return {true, std::move(bytes)}; }
Piece Server(std::string bytes) { return {false, std::move(bytes)}; }

// A startup, and then `pieces`.
Conversation Started(Conversation pieces) {
  Conversation conversation = {
      Client(Startup()), Server(Message('R', StrCat(BigEndian(5), "salt"))),
      Client(Message('p', "md5")),
      Server(StrCat(Authenticated(), Message('S', "a"), Message('K', "12345678"), Ready()))};
  conversation.insert(conversation.end(), pieces.begin(), pieces.end());
  return conversation;
}

// All but the distribution, whose count is expected to be that of the round trips.
std::string Counted(Observation observation) {
  EXPECT_EQ(observation.traffic.server_time().count(), observation.traffic.round_trips());
  observation.traffic.clear_server_time();
  return observation.traffic.ShortDebugString();
}

struct Case {
  std::string name;
  Conversation conversation;
  std::string expected;
};

const std::string& ExtendedCopy() {
  static const std::string* const kMessages =
      new std::string(StrCat(Parse(), Bind(), Describe(), Execute(), Sync()));
  return *kMessages;
}

std::vector<Case> Conversations() {
  const std::string done = StrCat(CommandComplete(), Ready());
  return {
      {"nothing", {}, ""},
      {"startup", Started({}), ""},
      {"a startup refused", {Client(Startup()), Server(Error())}, "errors: 1"},
      {"a startup whose length is a type's letter",
       {Client(StartupPacket(3 << 16, std::string('Q' - 8, 'x')))},
       ""},
      {"an error instead of an answer about encryption",
       {Client(TlsRequest()), Server(Error())},
       "errors: 1"},
      {"terminate", Started({Client(Message('X'))}), ""},
      {"query",
       Started({Client(Query()), Server(StrCat(Message('T', "f"), Message('D', "row"), done))}),
       "queries: 1 round_trips: 1"},
      {"empty query", Started({Client(Query()), Server(StrCat(Message('I'), Ready()))}),
       "queries: 1 round_trips: 1"},
      {"failed query", Started({Client(Query()), Server(StrCat(Error(), Ready()))}),
       "queries: 1 round_trips: 1 errors: 1"},
      {"unanswered query", Started({Client(Query())}), "queries: 1"},
      {"notices and notifications",
       Started({Server(StrCat(Message('A', "n"), Message('N', "n"), Message('S', "s")))}), ""},
      {"extended",
       Started({Client(StrCat(Parse(), Bind(), Describe(), Execute(), Sync())),
                Server(StrCat(Message('1'), Message('2'), Message('n'), done))}),
       "executes: 1 syncs: 1 round_trips: 1"},
      {"prepare, describe, flush, close",
       Started({Client(StrCat(Parse(), Describe(), Message('H'))),
                Server(StrCat(Message('1'), Message('t', "t"), Message('T', "f"))),
                Client(StrCat(Message('C', "Ss"), Sync())), Server(StrCat(Message('3'), Ready()))}),
       "syncs: 1 round_trips: 1"},
      {"a portal in two parts",
       Started({Client(StrCat(Bind(), Execute(), Execute(), Sync())),
                Server(StrCat(Message('2'), Message('D', "row"), Message('s'), done))}),
       "executes: 2 syncs: 1 round_trips: 1"},
      {"pipeline",
       Started({Client(StrCat(Execute(), Sync(), Execute(), Sync())), Client(StrCat(Query())),
                Server(done), Server(StrCat(Error(), Ready(), done))}),
       "queries: 1 executes: 2 syncs: 2 round_trips: 3 errors: 1"},
      {"a query before the startup's end",
       {Client(StrCat(Startup(), Query())), Server(StrCat(Authenticated(), Ready(), done))},
       "queries: 1 round_trips: 1"},
      {"function call",
       Started({Client(Message('F', "f")), Server(StrCat(Message('V', "v"), Ready()))}),
       "round_trips: 1"},
      {"copy to the server",
       Started({Client(Query()), Server(CopyIn()),
                Client(StrCat(CopyData(10), CopyData(0), CopyData(300), CopyDone())),
                Server(done)}),
       "queries: 1 round_trips: 1 copy_bytes_in: 310"},
      {"copy from the server",
       Started({Client(Query()),
                Server(StrCat(Message('H', "000"), CopyData(7), CopyData(8), CopyDone(), done))}),
       "queries: 1 round_trips: 1 copy_bytes_out: 15"},
      {"copy that the client fails",
       Started({Client(Query()), Server(CopyIn()), Client(Message('f', "no")),
                Server(StrCat(Error(), Ready()))}),
       "queries: 1 round_trips: 1 errors: 1"},
      {"copy by Execute, with the Sync that the server ignores",
       Started({Client(ExtendedCopy()), Server(CopyIn()),
                Client(StrCat(CopyData(1), CopyDone(), Sync())), Server(done), Client(Query()),
                Server(done)}),
       "queries: 1 executes: 1 syncs: 2 round_trips: 2 copy_bytes_in: 1"},
      {"copy by Execute, with Syncs in its midst",
       Started({Client(StrCat(Execute(), Message('H'))), Server(CopyIn()),
                Client(StrCat(Sync(), CopyData(1), Sync(), CopyDone(), Sync())), Server(done)}),
       "executes: 1 syncs: 3 round_trips: 1 copy_bytes_in: 1"},
      {"copy by Execute that does not wait",
       Started({Client(StrCat(Execute(), CopyData(1), CopyDone(), Sync())), Server(CopyIn()),
                Server(done)}),
       "executes: 1 syncs: 1 round_trips: 1 copy_bytes_in: 1"},
      {"copy by Execute that the server breaks off",
       Started({Client(ExtendedCopy()), Server(CopyIn()), Client(CopyData(1)), Server(Error()),
                Client(StrCat(CopyData(1), Sync())), Server(Ready())}),
       "executes: 1 syncs: 2 round_trips: 1 copy_bytes_in: 2 errors: 1"},
      {"replication",
       Started({Client(Query()), Server(Message('W', "000")), Server(CopyData(25)),
                Client(CopyData(34)), Server(CopyData(18)), Client(CopyDone()),
                Server(StrCat(CopyDone(), done))}),
       "queries: 1 round_trips: 1 copy_bytes_in: 34 copy_bytes_out: 43"},
      {"encryption refused",
       {Client(GssRequest()), Server("N"), Client(TlsRequest()), Server("N"), Client(Startup()),
        Server(StrCat(Authenticated(), Ready())), Client(Query()), Server(done)},
       "queries: 1 round_trips: 1"},
      {"newer minor version",
       {Client(StartupPacket((3 << 16) + 2)),
        Server(StrCat(Message('v', "12345678"), Authenticated(), Ready())), Client(Query()),
        Server(Ready())},
       "queries: 1 round_trips: 1"},
  };
}

TEST(PostgresObserver, CountsEveryConversationHoweverItIsCut) {
  for (const Case& c : Conversations()) {
    const Observation whole = Observe(c.conversation);
    EXPECT_EQ(Counted(whole), c.expected) << c.name;
    EXPECT_EQ(whole.is_postgres, !c.conversation.empty()) << c.name;
    size_t bytes = 0;
    for (const Piece& piece : c.conversation) bytes += piece.bytes.size();
    for (size_t at = 1; at < bytes; ++at) {
      EXPECT_TRUE(whole == Observe(c.conversation, {.split_at = at})) << c.name << ", at " << at;
      EXPECT_TRUE(whole == Observe(c.conversation, {.part_bytes = at})) << c.name << ", by " << at;
    }
  }
}

TEST(PostgresObserver, StopsWithAReason) {
  const std::string encryption =
      "the client did not wait for the answer to its request for encryption";
  const std::string unasked = "ReadyForQuery from the server without a request";
  for (const Case& c : std::vector<Case>{
           {"TLS", {Client(TlsRequest()), Server("S")}, "TLS"},
           {"TLS at once", {Client("\x16\x03\x01")}, "TLS"},
           {"GSSAPI", {Client(GssRequest()), Server("G")}, "GSSAPI encryption"},
           {"cancel", {Client(CancelRequest())}, "cancel request"},
           {"answer",
            {Client(TlsRequest()), Server("G")},
            "unknown answer 'G' to a request for encryption"},
           {"answer",
            {Client(GssRequest()), Server("S")},
            "unknown answer 'S' to a request for encryption"},
           {"answer",
            {Client(TlsRequest()), Server(std::string(1, '\0'))},
            "unknown answer 0x00 to a request for encryption"},
           {"hasty", {Client(StrCat(TlsRequest(), Startup()))}, encryption},
           {"hasty", {Client(TlsRequest()), Client("\x16"), Server("S")}, encryption},
           {"server first",
            {Client(TlsRequest()), Server(StrCat("N", Authenticated()))},
            "the server spoke before the client's startup"},
           {"not PostgreSQL after all",
            {Client(TlsRequest()), Server("N"), Client("GET / HT")},
            "not PostgreSQL"},
           {"unknown", Started({Client(Message('x'))}), "unknown message 'x' from the client"},
           {"unknown", Started({Server(Message('\x80'))}), "unknown message 0x80 from the server"},
           {"wrong side", Started({Client(Ready())}),
            "message 'Z' from the client, which only the server sends"},
           {"wrong side", Started({Server(Query())}),
            "message 'Q' from the server, which only the client sends"},
           {"short", Started({Client(Header('Q', 3))}), "message 'Q' from the client of length 3"},
           {"long", Started({Server(Header('D', (1u << 30) + 1))}),
            "message 'D' from the server of length 1073741825"},
           {"long", Started({Client(Header('d', 0xffffffff))}),
            "message 'd' from the client of length 4294967295"},
           {"as long as can be", Started({Client(Header('d', 1u << 30))}), ""},
           {"unasked", Started({Server(Ready())}), unasked},
           {"unasked", Started({Client(Query()), Server(StrCat(Ready(), Ready()))}), unasked},
       }) {
    const Observation observation = Observe(c.conversation);
    EXPECT_EQ(observation.traffic.stopped(), c.expected) << c.name;
    EXPECT_TRUE(observation.is_postgres) << c.name;
    EXPECT_TRUE(observation == Observe(c.conversation, {.part_bytes = 1})) << c.name;
  }
}

TEST(PostgresObserver, KnowsWhatIsNoPostgres) {
  for (const Conversation& conversation : std::vector<Conversation>{
           {Client("GET / HTTP/1.1\r\n\r\n"), Server("HTTP/1.1 200 OK\r\n")},
           {Client("*1\r\n$4\r\nPING\r\n"), Server("+PONG\r\n")},
           {Server("5.5.5-10.11.6-MariaDB"), Client(Startup())},
           {Client(StartupPacket(2 << 16))},
           {Client(StartupPacket(80877105))},
           {Client(StrCat(BigEndian(7), BigEndian(3 << 16)))},
           {Client(StrCat(BigEndian(10'001), BigEndian(3 << 16)))},
           {Client(StrCat(BigEndian(9), BigEndian(80877103)))},
       }) {
    const Observation observation = Observe(conversation);
    EXPECT_FALSE(observation.is_postgres) << conversation[0].bytes;
    EXPECT_EQ(Counted(observation), "stopped: \"not PostgreSQL\"");
    EXPECT_TRUE(observation == Observe(conversation, {.part_bytes = 1}));
  }
}

TEST(PostgresObserver, DoesNotDecideOnTooFewBytes) {
  for (size_t bytes = 0; bytes < 8; ++bytes) {
    const Observation observation = Observe({Client(Startup().substr(0, bytes))});
    EXPECT_FALSE(observation.is_postgres);
    EXPECT_EQ(observation.traffic.stopped(), "");
  }
  EXPECT_TRUE(Observe({Client(Startup().substr(0, 8))}).is_postgres);
}

TEST(PostgresObserver, IgnoresEverythingAfterItStopped) {
  const Conversation before = Started({Client(Query()), Server(Ready()), Client(Header('-', 4))});
  Conversation conversation = before;
  for (const Piece& piece : Started({Client(Query()), Server(Ready()), Server(Error())})) {
    conversation.push_back(piece);
  }
  EXPECT_TRUE(Observe(conversation) == Observe(before));
  EXPECT_EQ(Observe(before).traffic.stopped(), "unknown message '-' from the client");
}

TEST(PostgresObserver, TimesEachRequestFromItsEndToItsReadyForQuery) {
  PostgresObserver observer;
  observer.FromClient(Startup(), 0);
  observer.FromServer(Ready(), 50);
  observer.FromClient(Query().substr(0, 6), 100);
  observer.FromClient(Query().substr(6), 110);  // the first
  observer.FromClient(StrCat(Sync(), Sync()), 120);
  observer.FromServer(CommandComplete(), 130);
  observer.FromServer(Ready().substr(0, 5), 140);
  observer.FromServer(StrCat(Ready().substr(5), Ready()), 150);
  observer.FromServer(Ready(), 183);
  const v1::Distribution times = observer.Snapshot().server_time();
  ASSERT_EQ(times.buckets_size(), 3);
  EXPECT_EQ(times.buckets(0).low_ns(), 150 - 120);
  EXPECT_EQ(times.buckets(1).low_ns(), 150 - 110);
  EXPECT_EQ(times.buckets(2).low_ns(), 183 - 120);
}

TEST(PostgresObserver, TimesACopyFromTheSyncAfterItsEnd) {
  PostgresObserver observer;
  observer.FromClient(Startup(), 0);
  observer.FromServer(Ready(), 0);
  observer.FromClient(ExtendedCopy(), 100);
  observer.FromServer(CopyIn(), 110);
  observer.FromClient(Sync(), 115);  // ignored too
  observer.FromClient(StrCat(CopyDone(), Sync()), 120);
  observer.FromServer(Ready(), 130);
  EXPECT_EQ(observer.Snapshot().server_time().maximum_ns(), 10);
}

TEST(PostgresObserver, CountsWhatItDoesNotTimeInADeepPipeline) {
  Conversation pieces;
  for (int i = 0; i < 20; ++i) pieces.push_back(Client(Sync()));
  for (int i = 0; i < 20; ++i) pieces.push_back(Server(Ready()));
  const Observation observation = Observe(Started(pieces));
  EXPECT_EQ(observation.traffic.round_trips(), 20);
  EXPECT_EQ(observation.traffic.server_time().count(), PostgresPending::kReadsMax);
  EXPECT_EQ(observation.traffic.server_time().maximum_ns(), 20 * kPieceNs);
}

TEST(PostgresObserver, BoundsTheRequestsWithoutAnswer) {
  PostgresObserver observer;
  observer.FromClient(Startup(), 0);
  const std::string sync = Sync();
  for (int i = 0; i < PostgresObserver::kPendingMax; ++i) observer.FromClient(sync, i);
  EXPECT_EQ(observer.WhyStopped(), "");
  observer.FromClient(sync, 0);
  EXPECT_EQ(observer.WhyStopped(), "more than 65536 requests without an answer");
}

TEST(PostgresObserver, TakesLittleMemory) {
  EXPECT_LT(sizeof(PostgresObserver) - sizeof(Histogram), 256u);
}

}  // namespace
}  // namespace tare::proxy
