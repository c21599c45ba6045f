// Random names and secrets.

#ifndef TARE_BASE_TOKEN_H_
#define TARE_BASE_TOKEN_H_

#include <cstddef>
#include <string>

namespace tare {

// `length` characters of [a-z0-9] from the kernel's generator: passwords, ids. Thread-safe.
std::string RandomToken(size_t length);

}  // namespace tare

#endif  // TARE_BASE_TOKEN_H_
