#include "agent/machine/build_id.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace tare::agent {
namespace {

std::string Note(uint32_t type, const std::string& name, const std::string& content) {
  const Elf64_Nhdr header = {static_cast<Elf64_Word>(name.size()),
                             static_cast<Elf64_Word>(content.size()), type};
  std::string bytes(sizeof header, '\0');
  memcpy(bytes.data(), &header, sizeof header);
  const auto pad = [](std::string text) {
    text.resize((text.size() + 3) / 4 * 4);
    return text;
  };
  return bytes + pad(name) + pad(content);
}

const std::string kGnu("GNU\0", 4);

TEST(BuildId, IsFoundAmongOtherNotes) {
  const std::string notes = Note(NT_GNU_ABI_TAG, kGnu, "sixteen bytes...") +
                            Note(NT_GNU_BUILD_ID, "other", "no") +
                            Note(NT_GNU_BUILD_ID, kGnu, std::string("\x01\xab\xff", 3));
  EXPECT_EQ(BuildIdOfNotes(notes), "01abff");
}

TEST(BuildId, IsEmptyWhereThereIsNone) {
  EXPECT_EQ(BuildIdOfNotes(""), "");
  EXPECT_EQ(BuildIdOfNotes(Note(NT_GNU_ABI_TAG, kGnu, "x")), "");
  EXPECT_EQ(ReadBuildId("/etc/passwd"), "");
  EXPECT_EQ(ReadBuildId("/no/such/file"), "");
}

TEST(BuildId, IgnoresANoteThatClaimsMoreThanThereIs) {
  std::string note = Note(NT_GNU_BUILD_ID, kGnu, "12345678");
  EXPECT_EQ(BuildIdOfNotes(absl::string_view(note).substr(0, note.size() - 1)), "");
  const uint32_t huge = 0xffffffff;
  memcpy(note.data(), &huge, sizeof huge);  // the name's length
  EXPECT_EQ(BuildIdOfNotes(note), "");
}

TEST(BuildId, OfARealLibraryIsHex) {
  // Debian builds everything with a 20-byte id.
  EXPECT_EQ(ReadBuildId("/bin/sh").size(), 40u);
}

}  // namespace
}  // namespace tare::agent
