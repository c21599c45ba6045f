// Rules about the text of files.

#include <array>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tests/style/rules.h"

namespace tare::style {
namespace {

constexpr size_t kColumnsMax = 100;
constexpr size_t kLinesMax = 500;

struct BannedWord {
  absl::string_view word;
  absl::string_view instead;
  // The only file that may say it; empty: none.
  absl::string_view except;
};

constexpr std::array<BannedWord, 16> kBannedWords = {{
    {"std::string_view", "absl::string_view", ""},
    {"sleep_for", "Clock::Wait", ""},
    {"sleep_until", "Clock::Wait", ""},
    {"SleepFor", "Clock::Wait", "base/clock.cc"},
    {"std::mt19937", "Random of base/random.h", ""},
    {"std::shuffle", "Random::Shuffle of base/random.h", ""},
    {"std::uniform_int_distribution", "Random::Below of base/random.h", ""},
    {"std::uniform_real_distribution", "Random::Uniform of base/random.h", ""},
    {"std::normal_distribution", "Random::Normal of base/random.h", ""},
    {"rand(", "Random of base/random.h", ""},
    {"srand(", "Random of base/random.h", ""},
    {"system(", "Launch of agent/launch/process.h, without a shell", ""},
    {"popen(", "Launch of agent/launch/process.h, without a shell", ""},
    {"catch (...)", "the exception type that the library documents", ""},
    {"TODO", "an issue, or the work itself", ""},
    {"FIXME", "an issue, or the work itself", ""},
}};

// The table above and the tests of it say what others must not.
constexpr absl::string_view kOwnFolder = "tests/style/";

bool IsWordCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Whether `word` is in `line` as a word, and not as the end or the beginning of a longer one.
bool HasWord(absl::string_view line, absl::string_view word) {
  for (size_t at = line.find(word); at != absl::string_view::npos; at = line.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !IsWordCharacter(line[at - 1]);
    const bool ends =
        end == line.size() || !IsWordCharacter(word.back()) || !IsWordCharacter(line[end]);
    if (begins && ends) return true;
  }
  return false;
}

// Characters as people see them: bytes that begin one in UTF-8.
size_t CountColumns(absl::string_view line) {
  size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return columns;
}

std::string GuardOf(absl::string_view path) {
  std::string guard = "TARE_";
  for (const char c : path) {
    const auto letter = static_cast<unsigned char>(c);
    guard.push_back(absl::ascii_isalnum(letter) ? static_cast<char>(absl::ascii_toupper(letter))
                                                : '_');
  }
  return guard + "_";
}

// The words that names are made of, in lower case: "TrialRecord" and "trial_record" give both two.
std::set<std::string> WordsOf(absl::string_view line) {
  std::set<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.insert(absl::AsciiStrToLower(word));
    word.clear();
  };
  for (const char c : line) {
    const auto letter = static_cast<unsigned char>(c);
    if (!absl::ascii_isalpha(letter)) {
      finish();
      continue;
    }
    const bool starts_word = absl::ascii_isupper(letter) && !word.empty() &&
                             absl::ascii_islower(static_cast<unsigned char>(word.back()));
    if (starts_word) finish();
    word.push_back(c);
  }
  finish();
  return words;
}

}  // namespace

Violations CheckColumns(const SourceFile& file) {
  Violations violations;
  if (!file.IsCodeOrBuild()) return violations;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const size_t columns = CountColumns(file.lines[i]);
    if (columns <= kColumnsMax) continue;
    violations.push_back(
        file.At(i, absl::StrCat("has ", columns, " columns; break the line at ", kColumnsMax)));
  }
  return violations;
}

Violations CheckBannedWords(const SourceFile& file) {
  Violations violations;
  if (!file.IsCodeOrBuild() || absl::StartsWith(file.path, kOwnFolder)) return violations;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    for (const BannedWord& banned : kBannedWords) {
      if (banned.except == file.path || !HasWord(file.lines[i], banned.word)) continue;
      violations.push_back(
          file.At(i, absl::StrCat("'", banned.word, "' is not used here; use ", banned.instead)));
    }
  }
  return violations;
}

Violations CheckHeaderGuard(const SourceFile& file) {
  if (!file.IsHeader()) return {};
  const std::string guard = GuardOf(file.path);
  const std::string begin = absl::StrCat("#ifndef ", guard);
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (!absl::StartsWith(file.lines[i], "#")) continue;
    const bool is_guarded = file.lines[i] == begin && i + 1 < file.lines.size() &&
                            file.lines[i + 1] == absl::StrCat("#define ", guard) &&
                            file.lines.back() == absl::StrCat("#endif  // ", guard);
    if (is_guarded) return {};
    return {file.At(i, absl::StrCat("the header guard must be ", guard,
                                    ", in '#ifndef', '#define' and the last line's "
                                    "'#endif  // ",
                                    guard, "'"))};
  }
  return {file.At(0, absl::StrCat("has no header guard; use ", guard))};
}

Violations CheckLength(const SourceFile& file) {
  if (!file.IsCodeOrBuild() || file.lines.size() <= kLinesMax) return {};
  return {file.At(kLinesMax, absl::StrCat("has ", file.lines.size(), " lines, more than ",
                                          kLinesMax, "; look for the second noun"))};
}

Violations CheckSynonyms(const SourceFile& file, const std::map<std::string, std::string>& words) {
  Violations violations;
  // Where names are made: contracts. A .cc file also speaks of the system's things (/proc/1/task).
  if (!file.IsHeader() && !absl::EndsWith(file.path, ".proto")) return violations;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (absl::StrContains(file.lines[i], "#include")) continue;
    for (const std::string& word : WordsOf(file.lines[i])) {
      const auto found = words.find(word);
      if (found == words.end()) continue;
      violations.push_back(file.At(
          i,
          absl::StrCat("'", word, "' is not a word of the glossary; use '", found->second, "'")));
    }
  }
  return violations;
}

std::map<std::string, std::string> ReadSynonyms(const SourceFile& glossary) {
  std::map<std::string, std::string> words;
  bool is_in_table = false;
  for (const std::string& line : glossary.lines) {
    if (absl::StartsWith(line, "| not")) is_in_table = true;
    const std::vector<std::string> cells = absl::StrSplit(line, '|');
    if (!is_in_table || cells.size() != 4 || absl::StartsWith(line, "| not") ||
        absl::StartsWith(line, "|-")) {
      continue;
    }
    words[std::string(absl::StripAsciiWhitespace(cells[1]))] =
        std::string(absl::StripAsciiWhitespace(cells[2]));
  }
  return words;
}

Violations CheckTargets(const std::vector<SourceFile>& files) {
  std::map<std::string, std::string> build_files;  // text by folder
  for (const SourceFile& file : files) {
    if (!absl::EndsWith(file.path, "/CMakeLists.txt")) continue;
    std::string& text = build_files[std::string(file.Folder())];
    for (const std::string& line : file.lines) absl::StrAppend(&text, line, "\n");
  }
  Violations violations;
  for (const SourceFile& file : files) {
    if (!absl::EndsWith(file.path, ".cc")) continue;
    const std::string folder(file.Folder());
    const absl::string_view name = absl::string_view(file.path).substr(folder.size() + 1);
    const auto build_file = build_files.find(folder);
    bool is_named = false;
    if (build_file != build_files.end()) {
      for (absl::string_view word : absl::StrSplit(build_file->second, absl::ByAnyChar(" \n()"))) {
        is_named = is_named || word == name;
      }
    }
    if (is_named) continue;
    violations.push_back(file.At(
        0, absl::StrCat("is in no target; name it in ", folder, "/CMakeLists.txt, or delete it")));
  }
  return violations;
}

}  // namespace tare::style
