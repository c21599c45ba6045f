#include "coordinator/experiment/yaml_tree.h"

#include <algorithm>
#include <exception>
#include <map>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "coordinator/experiment/utf8.h"
#include "yaml-cpp/depthguard.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/mark.h"
#include "yaml-cpp/parser.h"

namespace tare::coordinator {
namespace {

using Kind = YamlNode::Kind;

// yaml-cpp counts from 0, and gives -1 where it knows no place.
Position PositionOf(const YAML::Mark& mark) {
  return {std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
}

// Builds the tree from the parser's events. Events rather than yaml-cpp's own nodes: those resolve
// aliases, even cyclic ones, and keep the marks of their anchors.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(absl::string_view yaml, Violations* violations)
      : yaml_(yaml), violations_(violations) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    ++documents_count_;
    if (documents_count_ == 2) {
      violations_->Add(PositionOf(mark), "a second document begins here",
                       "an experiment file has one document",
                       "remove the '---', or put the second experiment into a file of its own");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    YamlNode node;
    // Where nothing is written the mark is that of whatever comes next.
    const bool is_written = SourceAt(mark) == '~' || SourceAt(mark) == 'n' || SourceAt(mark) == 'N';
    node.position = is_written || open_.empty() ? PositionOf(mark)
                    : open_.back().has_key      ? open_.back().key_position
                                                : open_.back().node.position;
    Place(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    RefuseAnchor(mark, "alias");
    YamlNode node;
    node.kind = Kind::kRefused;
    node.position = PositionOf(mark);
    Place(std::move(node));
  }

  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    RefuseAnchor(mark, "anchor");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    YamlNode node = MakeNode(Kind::kScalar, mark, tag);
    node.text = value;
    node.is_quoted = tag == "!";
    Place(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Open(Kind::kList, mark, tag);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Open(Kind::kMapping, mark, tag);
  }
  void OnMapEnd() override { Close(); }

  YamlNode TakeRoot() { return std::move(root_); }
  int documents_count() const { return documents_count_; }

 private:
  // A list or mapping whose end has not come yet.
  struct OpenNode {
    YamlNode node;
    // Of a mapping between a key and its value.
    bool has_key = false;
    bool is_value_dropped = false;
    std::string key;
    Position key_position;
    std::map<std::string, int> lines_of_keys;
  };

  char SourceAt(const YAML::Mark& mark) const {
    const size_t offset = static_cast<size_t>(std::max(mark.pos, 0));
    return offset < yaml_.size() ? yaml_[offset] : '\0';
  }

  // The word at the mark, as written.
  absl::string_view WordAt(const YAML::Mark& mark) const {
    const size_t offset = std::min(static_cast<size_t>(std::max(mark.pos, 0)), yaml_.size());
    const size_t end = yaml_.find_first_of(" \t\r\n,[]{}", offset);
    return yaml_.substr(offset, end == absl::string_view::npos ? end : end - offset);
  }

  void RefuseAnchor(const YAML::Mark& mark, absl::string_view kind) {
    if (documents_count_ > 1) return;
    violations_->Add(PositionOf(mark), absl::StrCat(kind, " ", Quote(WordAt(mark)), " is not read"),
                     "anchors and aliases hide what an arm really has", "write the value out");
  }

  YamlNode MakeNode(Kind kind, const YAML::Mark& mark, const std::string& tag) {
    YamlNode node;
    node.kind = kind;
    node.position = PositionOf(mark);
    // Untagged nodes come as "?" (plain) and "!" (quoted); "! text" can be told only by its source.
    const bool is_tagged = (!tag.empty() && tag != "?" && tag != "!") || SourceAt(mark) == '!';
    if (is_tagged && documents_count_ == 1) {
      violations_->Add(node.position, absl::StrCat("tag ", Quote(WordAt(mark)), " is not read"),
                       "the key decides the type", "remove the tag; quote what is meant as text");
    }
    return node;
  }

  void Open(Kind kind, const YAML::Mark& mark, const std::string& tag) {
    if (open_.size() == kYamlDepthMax || ignored_depth_ > 0) {
      if (ignored_depth_++ == 0 && documents_count_ == 1) {
        violations_->Add(PositionOf(mark), "nested too deeply",
                         absl::StrCat("accepted: at most ", kYamlDepthMax, " levels"));
      }
      return;
    }
    OpenNode opened;
    opened.node = MakeNode(kind, mark, tag);
    open_.push_back(std::move(opened));
  }

  void Close() {
    YamlNode node;
    if (ignored_depth_ > 0) {
      if (--ignored_depth_ > 0) return;
      node.kind = Kind::kRefused;
    } else {
      node = std::move(open_.back().node);
      open_.pop_back();
    }
    Place(std::move(node));
  }

  // A complete node: the root, an item, a key or a value.
  void Place(YamlNode node) {
    if (ignored_depth_ > 0) return;
    if (open_.empty()) {
      if (documents_count_ == 1) root_ = std::move(node);
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.kind == Kind::kMapping) {
      if (!parent.has_key) {
        TakeKey(node, &parent);
        return;
      }
      parent.has_key = false;
      if (parent.is_value_dropped) return;
      node.key = std::move(parent.key);
      node.key_position = parent.key_position;
    }
    parent.node.children.push_back(std::move(node));
  }

  void TakeKey(const YamlNode& node, OpenNode* parent) {
    parent->has_key = true;
    parent->is_value_dropped = true;
    parent->key = node.text;
    parent->key_position = node.position;
    if (documents_count_ > 1 || node.kind == Kind::kRefused) return;
    if (node.kind != Kind::kScalar) {
      violations_->Add(node.position, "a key that is not text is not read", "accepted: a word");
      return;
    }
    if (node.text == "<<" && !node.is_quoted) {
      violations_->Add(node.position, "merge key '<<' is not read",
                       "merged keys hide what an arm really has", "write the keys out");
      return;
    }
    const auto [first, is_new] = parent->lines_of_keys.insert({node.text, node.position.line});
    if (!is_new) {
      violations_->Add(node.position, absl::StrCat("key ", Quote(node.text), " is written twice"),
                       absl::StrCat("first in line ", first->second), "remove one of the two");
      return;
    }
    parent->is_value_dropped = false;
  }

  absl::string_view yaml_;
  Violations* violations_;
  YamlNode root_;
  std::vector<OpenNode> open_;
  size_t ignored_depth_ = 0;
  int documents_count_ = 0;
};

Position PositionOfOffset(absl::string_view text, size_t offset) {
  const absl::string_view before = text.substr(0, offset);
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(offset - line_start) + 1};
}

}  // namespace

std::optional<YamlNode> ParseYaml(absl::string_view yaml, Violations* violations) {
  yaml = absl::StripPrefix(yaml, "\xEF\xBB\xBF");
  const size_t bad = FindByteThatIsNotText(yaml);
  if (bad != absl::string_view::npos) {
    violations->Add(
        PositionOfOffset(yaml, bad),
        absl::StrCat("byte 0x", absl::Hex(static_cast<unsigned char>(yaml[bad]), absl::kZeroPad2),
                     " is not text"),
        "accepted: UTF-8 without control characters", "save the file as UTF-8");
    return std::nullopt;
  }
  std::istringstream stream{std::string(yaml)};
  TreeBuilder builder(yaml, violations);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    // One look further is enough to see a second document.
    if (parser) parser.HandleNextDocument(builder);
  } catch (const YAML::DeepRecursion&) {
    return std::nullopt;  // kYamlDepthMax came first and is told
  } catch (const YAML::Exception& error) {
    if (builder.documents_count() <= 1) {
      violations->Add(PositionOf(error.mark), absl::StrCat("not readable as YAML: ", error.msg));
      return std::nullopt;
    }
  } catch (const std::exception& error) {
    violations->Add({}, absl::StrCat("not readable as YAML: ", error.what()));
    return std::nullopt;
  }
  return builder.TakeRoot();
}

}  // namespace tare::coordinator
