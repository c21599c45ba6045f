// The rules of style that a machine can check. Each returns its violations as
// "file:line: what is wrong; what to write instead".
//
// Pure, thread-safe. That each finds what it should is tested in rules_test.cc, and that the
// project has none in style_test.cc.

#ifndef TARE_TESTS_STYLE_RULES_H_
#define TARE_TESTS_STYLE_RULES_H_

#include <map>
#include <string>
#include <vector>

#include "tests/style/source_tree.h"

namespace tare::style {

using Violations = std::vector<std::string>;

// Of one file.
Violations CheckIncludes(const SourceFile& file);        // who may include whom
Violations CheckForeignHeaders(const SourceFile& file);  // which headers stay in which .cc files
Violations CheckColumns(const SourceFile& file);
Violations CheckBannedWords(const SourceFile& file);
Violations CheckHeaderGuard(const SourceFile& file);
Violations CheckLength(const SourceFile& file);

// `words` maps a word that is not used to the one that is.
Violations CheckSynonyms(const SourceFile& file, const std::map<std::string, std::string>& words);

// The rows "| not this | but this |" of the glossary's last table.
std::map<std::string, std::string> ReadSynonyms(const SourceFile& glossary);

// Every .cc file is named in the CMakeLists.txt beside it.
Violations CheckTargets(const std::vector<SourceFile>& files);

}  // namespace tare::style

#endif  // TARE_TESTS_STYLE_RULES_H_
