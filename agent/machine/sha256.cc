#include "agent/machine/sha256.h"

#include <cstdlib>

#include "absl/strings/escaping.h"

namespace tare::agent {
namespace {

// libcrypto's digest calls fail only when memory or the library itself is broken.
void Require(int result) {
  if (result != 1) abort();
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  Require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::Add(absl::string_view bytes) {
  Require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Sha256::Hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  Require(EVP_DigestFinal_ex(context_.get(), digest, &length));
  std::string text;
  for (unsigned i = 0; i < length; ++i) text.push_back(static_cast<char>(digest[i]));
  return absl::BytesToHexString(text);
}

std::string Sha256Hex(absl::string_view bytes) {
  Sha256 digest;
  digest.Add(bytes);
  return digest.Hex();
}

}  // namespace tare::agent
