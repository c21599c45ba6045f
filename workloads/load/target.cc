#include "workloads/load/target.h"

#include <charconv>

namespace tare::load {
namespace {

constexpr char kAccepted[] = "accepted: {n}, {n%K}, {random%K} with K from 1, and {{ for a brace";

sdk::Error At(size_t position, const std::string& what, const std::string& accepted) {
  return {what + " at position " + std::to_string(position + 1), accepted, ""};
}

}  // namespace

std::variant<sdk::Error, Target> Target::Parse(const std::string& text) {
  if (text.empty() || text[0] != '/') return At(0, "no '/'", "a path begins with '/'");
  if (text.size() > kBytesMax) {
    return At(kBytesMax, "more text", "at most " + std::to_string(kBytesMax) + " bytes");
  }
  Target target;
  Part part;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] <= ' ' || text[i] > '~') {
      return At(i, "a character that a URL cannot have", "write it as %XX");
    }
    if (text[i] != '{') {
      part.text.push_back(text[i]);
      continue;
    }
    if (text.compare(i, 2, "{{") == 0) {
      part.text.push_back('{');
      ++i;
      continue;
    }
    const size_t end = text.find('}', i);
    if (end == std::string::npos) return At(i, "'{' without '}'", kAccepted);
    const std::string inside = text.substr(i + 1, end - i - 1);
    if (!ParseNumber(inside, &part)) return At(i, "'{" + inside + "}'", kAccepted);
    target.parts_.push_back(std::move(part));
    part = Part();
    i = end;
  }
  target.parts_.push_back(std::move(part));
  return target;
}

bool Target::ParseNumber(const std::string& inside, Part* part) {
  if (inside == "n") {
    part->kind = Part::kNumber;
    return true;
  }
  size_t digits = 0;
  if (inside.starts_with("n%")) {
    part->kind = Part::kRemainder;
    digits = 2;
  } else if (inside.starts_with("random%")) {
    part->kind = Part::kRandom;
    digits = 7;
  } else {
    return false;
  }
  const char* const end = inside.data() + inside.size();
  const auto parsed = std::from_chars(inside.data() + digits, end, part->bound);
  return parsed.ec == std::errc() && parsed.ptr == end && part->bound >= 1 &&
         part->bound <= kBoundMax;
}

std::string Target::Render(int64_t n, Random& random) const {
  std::string rendered;
  for (const Part& part : parts_) {
    rendered += part.text;
    const auto number = static_cast<uint64_t>(n);
    if (part.kind == Part::kNumber) rendered += std::to_string(number);
    if (part.kind == Part::kRemainder) rendered += std::to_string(number % part.bound);
    if (part.kind == Part::kRandom) rendered += std::to_string(random.Below(part.bound));
  }
  return rendered;
}

}  // namespace tare::load
