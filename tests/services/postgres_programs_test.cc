// Finds made-up installations: scripts that answer --version as PostgreSQL does.

#include "agent/services/postgres_programs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

class PostgresProgramsTest : public testing::Test {
 protected:
  PostgresProgramsTest() { UseBuiltPrograms(); }

  void Script(const std::string& path, const std::string& output) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ASSERT_TRUE(WriteFile(path, absl::StrCat("#!/bin/sh\necho '", output, "'\n")).ok());
    ASSERT_EQ(chmod(path.c_str(), 0755), 0);
  }
  void Install(const std::string& name, const std::string& version) {
    Script(absl::StrCat(root_.path(), "/", name, "/bin/postgres"),
           absl::StrCat("postgres (PostgreSQL) ", version));
    Script(absl::StrCat(root_.path(), "/", name, "/bin/initdb"), "");
  }
  PostgresSearch Search() {
    return {.pg_config = root_.path() + "/pg_config", .roots = {root_.path()}};
  }

  ScratchDirectory root_;
};

TEST_F(PostgresProgramsTest, TakesTheNewestOrTheOneAskedFor) {
  Install("a", "9.6.24");
  Install("b", "15.14 (Debian 15.14-0+deb12u1)");
  Install("c", "17beta1");
  Install("d", "13.1");
  EXPECT_EQ(FindPostgres(Search(), std::nullopt)->directory, root_.path() + "/c/bin");
  EXPECT_EQ(FindPostgres(Search(), std::nullopt)->version, 17);
  EXPECT_EQ(FindPostgres(Search(), 15)->directory, root_.path() + "/b/bin");
}

TEST_F(PostgresProgramsTest, AsksPgConfig) {
  Install("x/deep", "16.2");
  Script(root_.path() + "/pg_config", root_.path() + "/x/deep/bin");
  EXPECT_EQ(FindPostgres(Search(), std::nullopt)->directory, root_.path() + "/x/deep/bin");
}

TEST_F(PostgresProgramsTest, PassesOverClientsWithoutAServer) {
  Script(root_.path() + "/client/bin/initdb", "");
  const absl::Status status = FindPostgres(Search(), std::nullopt).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FormatError(status),
            absl::StrCat("the server programs of PostgreSQL 13 or newer are not installed\n"
                         "  detail: looked in ",
                         root_.path(), "/pg_config --bindir, ", root_.path(),
                         "/*/bin; found none\n"
                         "  try: apt-get install postgresql, or give an existing server with "
                         "'dsn' in the experiment"));
}

TEST_F(PostgresProgramsTest, SaysWhatThereIsInsteadOfTheVersionAskedFor) {
  Install("a", "12.5");
  Install("b", "15.1");
  EXPECT_EQ(PartsOf(FindPostgres(Search(), 16).status()).what,
            "the server programs of PostgreSQL 16 are not installed");
  EXPECT_EQ(
      PartsOf(FindPostgres(Search(), 16).status()).detail,
      absl::StrCat("looked in ", root_.path(), "/pg_config --bindir, ", root_.path(),
                   "/*/bin; found 12 in ", root_.path(), "/a/bin, 15 in ", root_.path(), "/b/bin"));
}

TEST(ServerAccount, IsNeverRoot) {
  const absl::StatusOr<ServerAccount> account = FindServerAccount();
  ASSERT_TRUE(account.ok());
  EXPECT_NE(account->uid, 0U);
  EXPECT_EQ(account->user.empty(), geteuid() != 0);
}

}  // namespace
}  // namespace tare::agent
