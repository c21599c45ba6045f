#include "agent/machine/lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::agent {
namespace {

class MachineLockTest : public testing::Test {
 protected:
  ~MachineLockTest() override { std::filesystem::remove(path_); }

  const std::string path_ = absl::StrCat(testing::TempDir(), "tare-lock-", getpid());
};

TEST_F(MachineLockTest, TellsTheSecondWhoMeasures) {
  const auto first = MachineLock::Take(path_, "20261130-a1");
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = MachineLock::Take(path_, "20261130-b2");
  EXPECT_EQ(second.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FormatError(second.status()),
            absl::StrCat("this machine is being measured by run 20261130-a1 (pid ", getpid(),
                         ")\n  detail: it holds the lock '", path_,
                         "'\n  try: wait until it has finished, or stop it"));
}

TEST_F(MachineLockTest, IsFreeAgainWhenTheHolderLetsGo) {
  { ASSERT_TRUE(MachineLock::Take(path_, "a-much-longer-name-of-a-run").ok()); }
  const auto holder = MachineLock::Take(path_, "b");
  ASSERT_TRUE(holder.ok());
  const auto next = MachineLock::Take(path_, "c");
  EXPECT_EQ(next.status().message(),
            absl::StrCat("this machine is being measured by run b (pid ", getpid(), ")"));
}

TEST_F(MachineLockTest, IsFreeAgainWhenTheHolderIsKilled) {
  int taken[2];
  ASSERT_EQ(pipe(taken), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = MachineLock::Take(path_, "child");
    if (write(taken[1], lock.ok() ? "y" : "n", 1) == 1) pause();
    _exit(0);
  }
  char is_taken = 0;
  ASSERT_EQ(read(taken[0], &is_taken, 1), 1);
  ASSERT_EQ(is_taken, 'y');
  EXPECT_FALSE(MachineLock::Take(path_, "parent").ok());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(MachineLock::Take(path_, "parent").ok());
  close(taken[0]);
  close(taken[1]);
}

TEST_F(MachineLockTest, MakesAFileThatOtherUsersCanLockToo) {
  ASSERT_TRUE(MachineLock::Take(path_, "a").ok());
  struct stat file = {};
  ASSERT_EQ(stat(path_.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0666u);
}

TEST_F(MachineLockTest, SaysWhichFileItCannotUse) {
  const auto lock = MachineLock::Take("/no/such/directory/lock", "a");
  EXPECT_EQ(lock.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(lock.status().message(),
            "machine lock '/no/such/directory/lock' cannot be opened: No such file or directory");
}

TEST_F(MachineLockTest, DoesNotFollowALink) {
  ASSERT_EQ(symlink("/tmp/somewhere-else", path_.c_str()), 0);
  EXPECT_FALSE(MachineLock::Take(path_, "a").ok());
}

}  // namespace
}  // namespace tare::agent
