#include "workloads/load/reply.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>

namespace tare::load {
namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using ErrorCode = boost::beast::error_code;

// Beast's parser without the message that its own one fills, field by field.
class Discarding : public http::basic_parser<false> {
 public:
  explicit Discarding(std::string* body) : body_(body) {
    header_limit(Reply::kHeadBytesMax);
    body_limit(Reply::kBodyBytesMax);
    eager(true);
  }

  int status() const { return status_; }

 private:
  void on_request_impl(http::verb, string_view, string_view, int, ErrorCode&) override {}
  void on_response_impl(int status, string_view, int, ErrorCode&) override { status_ = status; }
  void on_field_impl(http::field, string_view, string_view, ErrorCode&) override {}
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  std::size_t on_body_impl(string_view bytes, ErrorCode&) override {
    if (body_ != nullptr) body_->append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, ErrorCode& error) override {
    return on_body_impl(bytes, error);
  }
  void on_finish_impl(ErrorCode&) override {}

  std::string* body_;
  int status_ = 0;
};

// Texts that live as long as the process, unlike those of error_code.
const char* Explain(const ErrorCode& error) {
  if (error == http::error::header_limit) return "the reply's head is longer than 8 KiB";
  if (error == http::error::body_limit) return "the reply's body is longer than 64 MiB";
  if (error == http::error::partial_message) return "the server closed within a reply";
  return "the reply is not HTTP/1.x";
}

}  // namespace

struct Reply::Parser {
  std::string* body = nullptr;
  std::optional<Discarding> http;
};

Reply::Reply(std::string* body) : parser_(std::make_unique<Parser>()) { parser_->body = body; }
Reply::~Reply() = default;

void Reply::Start(bool is_to_head) {
  is_to_head_ = is_to_head;
  parser_->http.emplace(parser_->body);
  if (is_to_head) parser_->http->skip(true);
}

Reply::State Reply::Put(const char* bytes, size_t size, size_t* used) {
  *used = 0;
  while (*used < size) {
    ErrorCode error;
    *used += parser_->http->put(boost::asio::buffer(bytes + *used, size - *used), error);
    if (error == http::error::need_more) return State::kPartial;
    if (error) {
      what_ = Explain(error);
      return State::kBroken;
    }
    if (!parser_->http->is_done()) continue;
    if (parser_->http->status() >= 200) return State::kComplete;
    Start(is_to_head_);
  }
  return State::kPartial;
}

Reply::State Reply::PutEnd() {
  ErrorCode error;
  if (!parser_->http->got_some()) {
    what_ = "the server closed without a reply";
    return State::kBroken;
  }
  parser_->http->put_eof(error);
  if (!error && parser_->http->is_done()) return State::kComplete;
  what_ = Explain(http::error::partial_message);
  return State::kBroken;
}

int Reply::status() const { return parser_->http->status(); }

bool Reply::is_keep_alive() const { return parser_->http->keep_alive(); }

}  // namespace tare::load
