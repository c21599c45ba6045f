#include "agent/machine/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/escaping.h"
#include "base/unique_fd.h"

namespace tare::agent {
namespace {

constexpr size_t kProgramHeadersMax = 256;
constexpr size_t kNotesBytesMax = 1 << 20;

bool ReadAt(int fd, void* bytes, size_t count, uint64_t offset) {
  return pread(fd, bytes, count, static_cast<off_t>(offset)) == static_cast<ssize_t>(count);
}

size_t PaddedToFour(size_t size) { return (size + 3) & ~size_t{3}; }

}  // namespace

std::string BuildIdOfNotes(absl::string_view notes) {
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header;
    memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    const size_t name_size = PaddedToFour(header.n_namesz);
    const size_t content_size = header.n_descsz;
    if (name_size > notes.size() || content_size > notes.size() - name_size) return "";
    const absl::string_view name = notes.substr(0, header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == absl::string_view("GNU\0", 4)) {
      return absl::BytesToHexString(notes.substr(name_size, content_size));
    }
    notes = notes.substr(std::min(notes.size(), name_size + PaddedToFour(content_size)));
  }
  return "";
}

std::string ReadBuildId(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  Elf64_Ehdr file = {};
  if (!fd.is_open() || !ReadAt(fd.get(), &file, sizeof file, 0)) return "";
  if (memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_ident[EI_CLASS] != ELFCLASS64 ||
      file.e_phentsize != sizeof(Elf64_Phdr) || file.e_phnum > kProgramHeadersMax) {
    return "";
  }
  std::vector<Elf64_Phdr> segments(file.e_phnum);
  if (!ReadAt(fd.get(), segments.data(), segments.size() * sizeof(Elf64_Phdr), file.e_phoff)) {
    return "";
  }
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE || segment.p_filesz > kNotesBytesMax) continue;
    std::string notes(segment.p_filesz, '\0');
    if (!ReadAt(fd.get(), notes.data(), notes.size(), segment.p_offset)) continue;
    if (std::string id = BuildIdOfNotes(notes); !id.empty()) return id;
  }
  return "";
}

}  // namespace tare::agent
