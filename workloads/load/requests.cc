#include "workloads/load/requests.h"

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <sstream>
#include <unordered_map>

#include "base/version.h"
#include "workloads/load/random.h"

namespace tare::load {
namespace {

namespace http = boost::beast::http;

constexpr uint64_t kTargetStream = 2;
constexpr int kHttp11 = 11;

constexpr uint64_t kFnvStart = 0xcbf29ce484222325;
// FNV-1a.
uint64_t Digest(const std::string& bytes, uint64_t digest) {
  for (const char c : bytes) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return digest;
}

std::string Serialize(const Settings& settings, const std::string& target,
                      const std::string& host) {
  http::request<http::string_body> request(http::string_to_verb(settings.method), target, kHttp11);
  request.set(http::field::host, host);
  request.set(http::field::user_agent, std::string("tare-load/") + kVersion);
  for (const auto& [name, value] : settings.headers) request.insert(name, value);
  request.body() = settings.body;
  request.prepare_payload();
  std::ostringstream bytes;
  bytes << request;
  return bytes.str();
}

}  // namespace

std::variant<sdk::Error, Requests> Requests::Make(const Settings& settings, int64_t count,
                                                  uint64_t seed) {
  Requests requests;
  std::unordered_map<std::string, uint32_t> known;
  Random random(seed, kTargetStream);
  size_t bytes = 0;
  for (int64_t n = 0; n < count; ++n) {
    std::string target = settings.target.Render(n, random);
    const auto [found, is_new] =
        known.try_emplace(std::move(target), static_cast<uint32_t>(requests.messages_.size()));
    requests.message_of_.push_back(found->second);
    if (!is_new) continue;
    requests.messages_.push_back(Serialize(settings, found->first, settings.server.host));
    requests.digests_.push_back(load::Digest(Serialize(settings, found->first, ""), kFnvStart));
    bytes += requests.messages_.back().size();
    if (bytes <= kBytesMax) continue;
    return sdk::Error{
        "the requests take more than " + std::to_string(kBytesMax >> 20) + " MiB",
        "there are " + std::to_string(count) + "; let them repeat with {n%K}, or shorten the body",
        ""};
  }
  return requests;
}

std::string Requests::Describe(size_t i) const {
  const std::string& text = message(i);
  return text.substr(0, text.find(" HTTP/"));
}

uint64_t Requests::Digest(size_t first, size_t end) const {
  uint64_t digest = kFnvStart;
  for (size_t i = first; i < end; ++i) {
    digest = (digest ^ digests_[message_of_[i]]) * 0x9e3779b97f4a7c15;
    digest ^= digest >> 32;
  }
  return digest;
}

std::string MakeGet(const Address& server, const std::string& path) {
  Settings settings;
  settings.method = "GET";
  return Serialize(settings, path, server.host);
}

}  // namespace tare::load
