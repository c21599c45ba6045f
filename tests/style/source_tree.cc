#include "tests/style/source_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"

namespace tare::style {
namespace {

constexpr std::array<absl::string_view, 12> kFolders = {
    "agent", "base",  "bench", "cmake", "coordinator", "docs",
    "proto", "proxy", "stats", "tests", "web",         "workloads"};

}  // namespace

bool SourceFile::IsHeader() const { return absl::EndsWith(path, ".h"); }

bool SourceFile::IsCpp() const { return IsHeader() || absl::EndsWith(path, ".cc"); }

bool SourceFile::IsCodeOrBuild() const {
  return IsCpp() || absl::EndsWith(path, ".proto") || absl::EndsWith(path, ".cmake") ||
         absl::EndsWith(path, "CMakeLists.txt");
}

absl::string_view SourceFile::Folder() const {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? absl::string_view()
                                    : absl::string_view(path).substr(0, slash);
}

std::string SourceFile::At(size_t index, absl::string_view text) const {
  return absl::StrCat(path, ":", index + 1, ": ", text);
}

SourceFile MakeSourceFile(absl::string_view path, absl::string_view text) {
  SourceFile file{std::string(path), absl::StrSplit(text, '\n')};
  if (!file.lines.empty() && file.lines.back().empty()) file.lines.pop_back();
  return file;
}

std::vector<SourceFile> ReadSourceTree(const std::string& root) {
  namespace fs = std::filesystem;
  std::vector<SourceFile> files;
  const auto add = [&](const fs::path& path) {
    const auto text = ReadFile(path);
    const std::string name = path.lexically_relative(root);
    if (text.ok()) files.push_back(MakeSourceFile(name, *text));
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    if (entry.is_regular_file()) add(entry.path());
  }
  for (const absl::string_view folder : kFolders) {
    const fs::path top = fs::path(root) / std::string(folder);
    if (!fs::exists(top)) continue;
    for (fs::recursive_directory_iterator entry(top), end; entry != end; ++entry) {
      const std::string name = entry->path().filename();
      if (entry->is_directory() && (name == "data" || name == "node_modules")) {
        entry.disable_recursion_pending();
      } else if (entry->is_regular_file()) {
        add(entry->path());
      }
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace tare::style
