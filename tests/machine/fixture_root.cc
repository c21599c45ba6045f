#include "tests/machine/fixture_root.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "base/token.h"

namespace tare::agent {
namespace {

void CopyOver(const std::string& from, const std::string& to) {
  std::filesystem::copy(
      from, to,
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
}

}  // namespace

FixtureRoot::FixtureRoot(absl::string_view name)
    : source_(absl::StrCat(getenv("TARE_SOURCE"), "/tests/data/roots/", name)),
      path_(absl::StrCat(testing::TempDir(), "tare-root-", RandomToken(8))) {
  CopyOver(source_, path_);
}

FixtureRoot::~FixtureRoot() { std::filesystem::remove_all(path_); }

void FixtureRoot::Advance() {
  const std::string changed = absl::StrCat(source_, ".second-", ++seconds_);
  if (std::filesystem::exists(changed)) CopyOver(changed, path_);
}

void FixtureRoot::Write(absl::string_view file, absl::string_view content) {
  std::ofstream(absl::StrCat(path_, file)) << std::string(content);
}

}  // namespace tare::agent
