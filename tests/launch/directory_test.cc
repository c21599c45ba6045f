#include "agent/launch/directory.h"

#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

TEST(PrivateDirectory, DisappearsWithItsOwner) {
  ScratchDirectory scratch;
  std::string path;
  {
    PrivateDirectory directory = PrivateDirectory::Make(scratch.path()).value();
    path = directory.path();
    MakeFilledDirectory(path + "/data");
    struct stat status;
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0711U);
    const PrivateDirectory moved = std::move(directory);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PrivateDirectory, NamesTheBaseThatIsNotThere) {
  const absl::Status status = PrivateDirectory::Make("/no/such").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FormatError(status),
            "cannot make a directory in '/no/such': No such file or directory");
}

TEST(Sweep, TakesOnlyDirectoriesThatNobodyOwns) {
  ScratchDirectory scratch;
  const PrivateDirectory owned = PrivateDirectory::Make(scratch.path()).value();
  const std::string stale = scratch.path() + "/tare-stale";
  MakeFilledDirectory(stale);
  ASSERT_TRUE(WriteFile(stale + "/owner", "").ok());
  const std::string unmarked = scratch.path() + "/tare-unmarked";
  MakeFilledDirectory(unmarked);
  const std::string foreign = scratch.path() + "/other";
  MakeFilledDirectory(foreign);
  ASSERT_TRUE(WriteFile(foreign + "/owner", "").ok());

  EXPECT_EQ(SweepStaleDirectories(scratch.path()), 1);
  EXPECT_FALSE(std::filesystem::exists(stale));
  for (const std::string& path : {owned.path(), unmarked, foreign}) {
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
  }
  EXPECT_EQ(SweepStaleDirectories("/no/such"), 0);
}

}  // namespace
}  // namespace tare::agent
