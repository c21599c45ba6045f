#include <sys/stat.h>

#include <cstdlib>

#include "agent/launch/process.h"
#include "base/files.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

TEST(FindProgram, TakesAPathAsItIs) {
  EXPECT_EQ(FindProgram("/bin/sh").value(), "/bin/sh");
  EXPECT_EQ(FormatError(FindProgram("/no/such").status()),
            "program '/no/such': No such file or directory");
}

TEST(FindProgram, LooksBesideThisProgramBeforePath) {
  ScratchDirectory scratch;
  const std::string other = scratch.path() + "/launch_stand_in";
  ASSERT_TRUE(WriteFile(other, "#!/bin/sh\n").ok());
  ASSERT_EQ(chmod(other.c_str(), 0755), 0);
  setenv("PATH", scratch.path().c_str(), 1);
  const std::string found = FindProgram("launch_stand_in").value();
  EXPECT_NE(found, other);
  EXPECT_THAT(found, testing::EndsWith("/launch_stand_in"));
}

TEST(FindProgram, SaysWhereItLooked) {
  setenv("PATH", "/nowhere::/bin", 1);
  EXPECT_THAT(FormatError(FindProgram("no-such-program").status()),
              testing::MatchesRegex("program 'no-such-program' does not exist\n"
                                    "  detail: looked in /.*, /nowhere, /bin\n"
                                    "  try: install it, or give its path"));
}

TEST(FindProgram, TellsNotExecutableFromNotThere) {
  ScratchDirectory scratch;
  const std::string path = scratch.path() + "/plain";
  ASSERT_TRUE(WriteFile(path, "text").ok());
  setenv("PATH", scratch.path().c_str(), 1);
  const std::string expected = "program '" + path + "': Permission denied\n  try: chmod +x " + path;
  for (const std::string& name : {std::string("plain"), path}) {
    const absl::Status status = FindProgram(name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << name;
    EXPECT_EQ(FormatError(status), expected);
  }
}

}  // namespace
}  // namespace tare::agent
