#include "workloads/load/reply.h"

#include "gtest/gtest.h"

namespace tare::load {
namespace {

// Feeds `text` in pieces of `size` bytes, as a socket might, and then its end.
struct Fed {
  Fed(const std::string& text, size_t size, bool is_to_head = false) : reply(&body) {
    reply.Start(is_to_head);
    std::string held;
    for (size_t at = 0; at < text.size() && state == Reply::State::kPartial; at += size) {
      held += text.substr(at, size);
      size_t used = 0;
      state = reply.Put(held.data(), held.size(), &used);
      held.erase(0, used);
    }
    left = held;
    if (state == Reply::State::kPartial) state = reply.PutEnd();
  }

  std::string body;
  Reply reply;
  Reply::State state = Reply::State::kPartial;
  std::string left;  // was not used
};

struct Whole {
  const char* text;
  int status;
  const char* body;
  bool is_keep_alive;
};

TEST(Reply, IsReadInAnyPieces) {
  const Whole wholes[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello", true},
      {"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: close\r\n\r\n", 200, "", false},
      {"HTTP/1.1 204 No Content\r\n\r\n", 204, "", true},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
       200, "abcde", true},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nTrailer: t\r\n\r\n",
       200, "a", true},
      {"HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end", false},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nContent-Length: 1\r\n\r\nx", 503, "x",
       true},
  };
  for (const Whole& whole : wholes) {
    for (const size_t size : {1u, 7u, 10'000u}) {
      const Fed fed(whole.text, size);
      EXPECT_EQ(fed.state, Reply::State::kComplete) << whole.text << fed.reply.what();
      EXPECT_EQ(fed.reply.status(), whole.status);
      EXPECT_EQ(fed.body, whole.body) << whole.text;
      EXPECT_EQ(fed.reply.is_keep_alive(), whole.is_keep_alive) << whole.text;
      EXPECT_EQ(fed.left, "");
    }
  }
}

TEST(Reply, ToHeadHasNoBody) {
  const Fed fed("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", 9, /*is_to_head=*/true);
  EXPECT_EQ(fed.state, Reply::State::kComplete);
}

TEST(Reply, LeavesWhatComesAfterIt) {
  const Fed fed("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1", 10'000);
  EXPECT_EQ(fed.state, Reply::State::kComplete);
  EXPECT_EQ(fed.left, "HTTP/1.1");
}

TEST(Reply, ThatIsBrokenSaysWhy) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "the server closed without a reply"},
      {"hello\r\n\r\n", "the reply is not HTTP/1.x"},
      {"HTTP/3.0 200 OK\r\n\r\n", "the reply is not HTTP/1.x"},
      {"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "the reply is not HTTP/1.x"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "the reply is not HTTP/1.x"},
      {"HTTP/1.1 200 OK\r\nContent-Le", "the server closed within a reply"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", "the server closed within a reply"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
       "the server closed within a reply"},
      {"HTTP/1.1 200 OK\r\nX: " + std::string(9'000, 'x') + "\r\n\r\n",
       "the reply's head is longer than 8 KiB"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
       "the reply's body is longer than 64 MiB"},
  };
  for (const auto& [text, what] : cases) {
    const Fed fed(text, 10'000);
    EXPECT_EQ(fed.state, Reply::State::kBroken) << text;
    EXPECT_STREQ(fed.reply.what(), what) << text;
  }
}

}  // namespace
}  // namespace tare::load
