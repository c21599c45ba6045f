// SHA-256 as lower-case hex, of text or of the parts of something larger.
//
// Not for secrets or passwords. Not thread-safe: one digest a thread.

#ifndef TARE_AGENT_MACHINE_SHA256_H_
#define TARE_AGENT_MACHINE_SHA256_H_

#include <openssl/evp.h>

#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace tare::agent {

class Sha256 {
 public:
  Sha256();
  void Add(absl::string_view bytes);
  // The digest of all that was added. Call once.
  std::string Hex();

 private:
  struct Freer {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Freer> context_;
};

std::string Sha256Hex(absl::string_view bytes);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_SHA256_H_
