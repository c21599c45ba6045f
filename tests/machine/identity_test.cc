#include "agent/machine/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "agent/machine/sha256.h"
#include "base/files.h"
#include "base/status.h"
#include "tests/machine/fixture_root.h"

namespace tare::agent {
namespace {

TEST(Machine, IsReadFromAServer) {
  const FixtureRoot root("quiet-server");
  const v1::Machine machine = ReadMachine(root.path());
  EXPECT_EQ(machine.host(), "lab-3");
  EXPECT_EQ(machine.machine_id(), Sha256Hex("0123456789abcdef0123456789abcdef"));
  EXPECT_EQ(machine.kernel(), "6.1.0-18-amd64");
  EXPECT_EQ(machine.cpu_model(), "Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz");
  EXPECT_EQ(machine.cpus_count(), 4);
  EXPECT_EQ(machine.memory_bytes(), 65'842'312ll * 1024);
  EXPECT_EQ(machine.os(), "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(machine.clock_source(), "tsc");
  EXPECT_EQ(machine.virtualization(), "none");
}

TEST(Machine, KnowsGuestsByTheirClockOrTheirMaker) {
  EXPECT_EQ(ReadMachine(FixtureRoot("container-v2").path()).virtualization(), "kvm");
  EXPECT_EQ(ReadMachine(FixtureRoot("container-v1").path()).virtualization(), "vmware");
}

TEST(Machine, LeavesEmptyWhatIsNotThere) {
  const v1::Machine machine = ReadMachine(FixtureRoot("bare").path());
  EXPECT_EQ(machine.cpu_model(), "implementer 0x41 part 0xd0c");
  EXPECT_EQ(machine.cpus_count(), 1);
  EXPECT_EQ(machine.machine_id(), "");
  EXPECT_EQ(machine.memory_bytes(), 0);
  EXPECT_EQ(machine.clock_source(), "");
  EXPECT_EQ(machine.virtualization(), "");
}

TEST(FileSha256, FollowsTheContentOfAFile) {
  const std::string path = absl::StrCat(testing::TempDir(), "tare-identity-", getpid());
  ASSERT_TRUE(WriteFile(path, "abc").ok());
  EXPECT_EQ(*FileSha256(path), Sha256Hex("abc"));
  EXPECT_EQ(*FileSha256(path), Sha256Hex("abc"));  // from the cache
  ASSERT_TRUE(WriteFile(path, "abd").ok());
  EXPECT_EQ(*FileSha256(path), Sha256Hex("abd"));
  std::filesystem::remove(path);
  EXPECT_EQ(FormatError(FileSha256(path).status()),
            absl::StrCat("'", path, "' cannot be read: No such file or directory"));
}

TEST(IdentifyProcess, SaysWhatThisProcessConsistsOf) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  v1::Process process;
  ASSERT_TRUE(IdentifyProcess(getpid(), program, {"B=2", "A=1"}, &process).ok());
  EXPECT_EQ(process.program_path(), program);
  EXPECT_EQ(process.program_sha256(), *FileSha256(program));
  bool has_libc = false;
  for (const v1::Library& library : process.libraries()) {
    EXPECT_NE(library.path(), program);
    if (absl::string_view(library.path()).find("libc.so") == absl::string_view::npos) continue;
    has_libc = true;
    EXPECT_EQ(library.build_id().size(), 40u);
  }
  EXPECT_TRUE(has_libc);
}

TEST(IdentifyProcess, GivesTheSameEnvironmentTheSameDigestInAnyOrder) {
  const auto digest = [](const std::vector<std::string>& environment) {
    v1::Process process;
    EXPECT_TRUE(IdentifyProcess(getpid(), "/proc/self/exe", environment, &process).ok());
    return process.environment_sha256();
  };
  EXPECT_EQ(digest({"A=1", "B=2"}), digest({"B=2", "A=1"}));
  EXPECT_NE(digest({"A=1", "B=2"}), digest({"A=1B=2"}));
}

TEST(IdentifyProcess, RefusesAProgramThatIsNotThere) {
  v1::Process process;
  EXPECT_EQ(IdentifyProcess(getpid(), "/no/such/program", {}, &process).code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tare::agent
