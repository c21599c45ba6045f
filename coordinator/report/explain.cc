#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/near_word.h"
#include "base/status.h"
#include "coordinator/report/page.h"
#include "coordinator/report/refusals.h"

namespace tare::coordinator {
namespace {

// What is done about it: verdicts have consequences, the others a cure.
struct Chapter {
  absl::string_view kind;
  absl::string_view title;
  absl::string_view action_label;
  std::span<const Explanation> entries;
};

std::vector<Chapter> Chapters() {
  return {{"refusal", "Refusals", "what to do", Refusals()},
          {"flag", "Flags", "what to do", Flags()},
          {"verdict", "Verdicts", "consequence", Verdicts()}};
}

std::vector<std::string> AllCodes() {
  std::vector<std::string> codes;
  for (const Chapter& chapter : Chapters()) {
    for (const Explanation& entry : chapter.entries) codes.emplace_back(entry.code);
  }
  return codes;
}

std::string ExplanationText(const Chapter& chapter, const Explanation& entry) {
  constexpr int kLabelWidth = 11;  // "consequence"
  Page page({});
  page.Text(0, absl::StrCat(entry.code, " (", chapter.kind, "): ", entry.title));
  page.Blank();
  page.Item(2, kLabelWidth, "meaning", entry.meaning);
  page.Item(2, kLabelWidth, "rule", entry.rule);
  page.Item(2, kLabelWidth, chapter.action_label, entry.action);
  return page.text();
}

constexpr int kDocumentWidth = 100;

void AppendParagraph(absl::string_view text, std::string* document) {
  absl::StrAppend(document, absl::StrJoin(Wrap(text, kDocumentWidth), "\n"), "\n\n");
}

void AppendBullet(absl::string_view text, std::string* document) {
  absl::StrAppend(document, "- ", absl::StrJoin(Wrap(text, kDocumentWidth - 2), "\n  "), "\n");
}

}  // namespace

absl::StatusOr<std::string> ExplainCode(absl::string_view code) {
  const std::string wanted = absl::AsciiStrToLower(code);
  for (const Chapter& chapter : Chapters()) {
    for (const Explanation& entry : chapter.entries) {
      if (entry.code == wanted) return ExplanationText(chapter, entry);
    }
  }
  const std::vector<std::string> codes = AllCodes();
  ErrorBuilder error =
      MakeError(absl::StatusCode::kNotFound, absl::StrCat("'", code, "' is no code of a report"))
          .Detail(absl::StrCat("codes are ", absl::StrJoin(codes, ", ")));
  if (const auto near = NearWord(wanted, codes)) error.Try(absl::StrCat("tare explain ", *near));
  return error;
}

std::string RefusalsDocument() {
  std::string document =
      "<!-- Made from coordinator/report/refusals.cc; a test compares the two. To renew it:\n"
      "     TARE_UPDATE_GOLDEN=1 ./dev test -R report_test -->\n\n"
      "# Refusals, flags and verdicts\n\n";
  AppendParagraph(
      "tare refuses a number that it cannot stand behind, and says why with one of these codes. "
      "Codes are stable, so scripts may rely on them. `tare explain CODE` prints the same text.",
      &document);
  for (const Chapter& chapter : Chapters()) {
    absl::StrAppend(&document, "## ", chapter.title, "\n\n");
    for (const Explanation& entry : chapter.entries) {
      absl::StrAppend(&document, "### ", entry.code, "\n\n");
      AppendParagraph(absl::StrCat("**", entry.title, ".** ", entry.meaning), &document);
      AppendBullet(absl::StrCat("rule: ", entry.rule), &document);
      AppendBullet(absl::StrCat(chapter.action_label, ": ", entry.action), &document);
      document += "\n";
    }
  }
  document.pop_back();  // one line feed at the end
  return document;
}

}  // namespace tare::coordinator
