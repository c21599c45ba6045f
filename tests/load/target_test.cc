#include "workloads/load/target.h"

#include "gtest/gtest.h"

namespace tare::load {
namespace {

std::string Rendered(const std::string& text, int64_t n) {
  const auto target = Target::Parse(text);
  if (const auto* error = std::get_if<sdk::Error>(&target)) return error->message;
  Random random(1, 1);
  return std::get<Target>(target).Render(n, random);
}

TEST(Target, PutsNumbersInTheirPlaces) {
  const std::tuple<const char*, int64_t, const char*> cases[] = {
      {"/", 0, "/"},
      {"/loan?member=U-7", 3, "/loan?member=U-7"},
      {"/{n}", 0, "/0"},
      {"/{n}", 1'000'000, "/1000000"},
      {"/loan?member=U-{n%500}&page={n}", 501, "/loan?member=U-1&page=501"},
      {"/{n%1}", 7, "/0"},
      {"/{random%1}", 7, "/0"},
      {"/{{n}", 7, "/{n}"},
      {"/{{{n}}", 7, "/{7}"},
      {"/a}b", 7, "/a}b"},
  };
  for (const auto& [text, n, rendered] : cases) EXPECT_EQ(Rendered(text, n), rendered) << text;
}

TEST(Target, DrawsEveryNumberBelowTheBoundAndFollowsTheSeed) {
  const Target target = std::get<Target>(Target::Parse("/{random%5}{random%5}"));
  Random random(7, 1);
  Random again(7, 1);
  Random other(8, 1);
  std::string all, all_again, all_other;
  for (int64_t n = 0; n < 40; ++n) {
    all += target.Render(n, random);
    all_again += target.Render(n, again);
    all_other += target.Render(n, other);
  }
  EXPECT_EQ(all, all_again);
  EXPECT_NE(all, all_other);
  EXPECT_EQ(all.find_first_not_of("/01234"), std::string::npos);
  for (const char digit : {'0', '1', '2', '3', '4'}) EXPECT_NE(all.find(digit), std::string::npos);
}

TEST(Target, NamesThePositionOfWhatItDoesNotTake) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "no '/' at position 1"},
      {"loan", "no '/' at position 1"},
      {"/loan{", "'{' without '}' at position 6"},
      {"/{}", "'{}' at position 2"},
      {"/{m}", "'{m}' at position 2"},
      {"/{n }", "'{n }' at position 2"},
      {"/a{n%}", "'{n%}' at position 3"},
      {"/a{n%0}", "'{n%0}' at position 3"},
      {"/{n%-1}", "'{n%-1}' at position 2"},
      {"/{n%5x}", "'{n%5x}' at position 2"},
      {"/{n%99999999999999999999}", "'{n%99999999999999999999}' at position 2"},
      {"/{random}", "'{random}' at position 2"},
      {"/{random%1.5}", "'{random%1.5}' at position 2"},
      {"/{n}{x}", "'{x}' at position 5"},
      {"/a b", "a character that a URL cannot have at position 3"},
      {"/\xc3\xa9", "a character that a URL cannot have at position 2"},
      {"/" + std::string(5000, 'a'), "more text at position 4097"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(Rendered(text, 0), message) << text;
  EXPECT_EQ(std::get<sdk::Error>(Target::Parse("/{m}")).detail,
            "accepted: {n}, {n%K}, {random%K} with K from 1, and {{ for a brace");
}

}  // namespace
}  // namespace tare::load
