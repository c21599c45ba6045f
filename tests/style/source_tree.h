// The project's own text files, read once.
//
// Not the build directories, nor fixtures and data that tests read.

#ifndef TARE_TESTS_STYLE_SOURCE_TREE_H_
#define TARE_TESTS_STYLE_SOURCE_TREE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare::style {

struct SourceFile {
  std::string path;                // from the project's root: "base/clock.h"
  std::vector<std::string> lines;  // without the newline

  bool IsCpp() const;          // .h or .cc
  bool IsHeader() const;       // .h
  bool IsCodeOrBuild() const;  // C++, .proto, .cmake, CMakeLists.txt
  // "base" for "base/clock.h".
  absl::string_view Folder() const;
  // "base/clock.h:12: text" for the line with index 11.
  std::string At(size_t index, absl::string_view text) const;
};

SourceFile MakeSourceFile(absl::string_view path, absl::string_view text);

// All of them below `root`, in the order of their paths.
std::vector<SourceFile> ReadSourceTree(const std::string& root);

}  // namespace tare::style

#endif  // TARE_TESTS_STYLE_SOURCE_TREE_H_
