// Goal: the two streams over real sockets.

#include "coordinator/dispatch/session_server.h"

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "absl/synchronization/notification.h"
#include "base/clock.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/dispatch/scripted_agent.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kSoon = absl::Seconds(20);

bool Ignore(const v1::CoordinatorMessage& /*message*/, ScriptedAgent& /*agent*/) { return true; }

std::unique_ptr<SessionServer> Start(const std::string& listen, ChunkHandler keep) {
  SessionServerOptions options;
  options.listen = listen;
  options.keep_chunk = std::move(keep);
  absl::StatusOr<std::unique_ptr<SessionServer>> server = StartSessionServer(std::move(options));
  EXPECT_TRUE(server.ok()) << server.status();
  return server.ok() ? *std::move(server) : nullptr;
}

TEST(SessionServer, ServesAnAgentOnLoopbackTcp) {
  std::atomic<int> kept = 0;
  auto server = Start("127.0.0.1:0", [&kept](const v1::Chunk& /*chunk*/) {
    ++kept;
    return absl::OkStatus();
  });
  ASSERT_NE(server, nullptr);
  ScriptedAgent agent(server->address(), "lab-1", Ignore);
  std::optional<SessionEvent> event = server->NextEvent(kSoon);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->kind, SessionEvent::Kind::kRegistered);
  v1::Chunk chunk;
  chunk.mutable_key()->set_run("r");
  EXPECT_TRUE(agent.Upload(chunk));
  EXPECT_EQ(kept, 1);
}

TEST(SessionServer, ServesAnAgentOfTheSameUserOnAUnixSocket) {
  std::string directory = testing::TempDir() + "/tare-XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  auto server =
      Start("unix:" + directory + "/s", [](const v1::Chunk&) { return absl::OkStatus(); });
  ASSERT_NE(server, nullptr);
  {
    ScriptedAgent agent(server->address(), "local", Ignore);
    std::optional<SessionEvent> event = server->NextEvent(kSoon);
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->kind, SessionEvent::Kind::kRegistered);
  }
  EXPECT_EQ(server->NextEvent(kSoon)->kind, SessionEvent::Kind::kLost);
  server.reset();
  std::filesystem::remove_all(directory);
}

TEST(SessionServer, AnUnkeptChunkIsNotAcknowledgedAndTheReasonIsAnEvent) {
  auto server = Start("127.0.0.1:0", [](const v1::Chunk&) {
    return absl::Status(MakeError(absl::StatusCode::kResourceExhausted, "disk full"));
  });
  ASSERT_NE(server, nullptr);
  ScriptedAgent agent(server->address(), "lab-1", Ignore);
  ASSERT_TRUE(server->NextEvent(kSoon).has_value());
  EXPECT_FALSE(agent.Upload(v1::Chunk()));
  std::optional<SessionEvent> event = server->NextEvent(kSoon);
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->kind, SessionEvent::Kind::kUploadFailed);
  EXPECT_EQ(event->status.message(), "disk full");
}

TEST(SessionServer, RefusesChunksOverTheLimit) {
  std::atomic<int> kept = 0;
  auto server = Start("127.0.0.1:0", [&kept](const v1::Chunk& /*chunk*/) {
    ++kept;
    return absl::OkStatus();
  });
  ASSERT_NE(server, nullptr);
  ScriptedAgent agent(server->address(), "lab-1", Ignore);
  v1::Chunk chunk;
  chunk.set_payload(std::string(kChunkMessageBytesMax, 'x'));
  EXPECT_FALSE(agent.Upload(chunk));
  EXPECT_EQ(kept, 0);
}

// The agent of a run that is over leaves while its last chunk is still being written to disk.
TEST(SessionServer, AnAgentMayLeaveWhileItsChunkIsBeingKept) {
  absl::Notification begun;
  absl::Notification agent_has_left;
  std::atomic<int> kept = 0;
  auto server = Start("127.0.0.1:0", [&](const v1::Chunk& /*chunk*/) {
    if (!begun.HasBeenNotified()) begun.Notify();
    agent_has_left.WaitForNotification();
    ++kept;
    return absl::OkStatus();
  });
  ASSERT_NE(server, nullptr);
  ScriptedAgent agent(server->address(), "lab-1", Ignore);
  v1::Chunk chunk;
  chunk.mutable_key()->set_run("r");
  agent.AbandonUpload(chunk, begun);
  // Nothing tells when the server's side of the stream is gone; this is far longer than it takes.
  Clock::Real()->Wait(absl::Milliseconds(300));
  agent_has_left.Notify();
  EXPECT_TRUE(agent.Upload(chunk));
  EXPECT_EQ(kept, 2);
}

TEST(SessionServer, ListensOnLoopbackOnly) {
  for (const char* address : {"0.0.0.0:0", "192.0.2.1:7077", "[::]:0"}) {
    SessionServerOptions options;
    options.listen = address;
    EXPECT_TRUE(absl::IsInvalidArgument(StartSessionServer(options).status())) << address;
  }
}

}  // namespace
}  // namespace tare::coordinator
