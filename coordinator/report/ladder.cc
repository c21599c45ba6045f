#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enum_word.h"
#include "coordinator/report/group.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

constexpr int kHeadWidth = 16;  // "smallest visible"

using Durations = std::vector<std::optional<double>>;

std::string YesNo(bool is_present, bool is_so) {
  if (!is_present) return kAbsent;
  return is_so ? "yes" : "no";
}

std::string WordOf(v1::Order order) {
  return YamlWord(v1::Order_descriptor()->FindValueByNumber(order));
}

absl::string_view PlaceText(v1::DelayPlace place) {
  switch (place) {
    case v1::DELAY_PLACE_START:
      return "at its start";
    case v1::DELAY_PLACE_MIDDLE:
      return "in its middle";
    default:
      return "at its end";
  }
}

template <typename Item, typename Make>
auto Each(const google::protobuf::RepeatedPtrField<Item>& items, Make make) {
  std::vector<decltype(make(items.Get(0)))> made;
  for (const Item& item : items) made.push_back(make(item));
  return made;
}

void AddAsked(const v1::LadderReport& ladder, Table* table) {
  const Durations asked = Each(ladder.rungs(), [](const v1::Rung& rung) {
    return std::optional<double>(static_cast<double>(rung.asked_ns()));
  });
  AddDurations("asked", asked, Scale::ForDurations(asked), table);
}

void AddRungs(const v1::LadderReport& ladder, Page* page) {
  page->Heading(absl::StrCat("Ladder: ", ladder.arm(), " against itself plus a delay ",
                             PlaceText(ladder.at())));
  Table table;
  AddAsked(ladder, &table);
  const Durations applied = Each(ladder.rungs(), [](const v1::Rung& rung) {
    return NumberIf(rung.has_applied_ns(), rung.applied_ns());
  });
  AddDurations("applied", applied, Scale::ForDurations(applied), &table);
  AddRanges("difference",
            Each(ladder.rungs(), [](const v1::Rung& rung) { return RangeOf(rung.estimate()); }),
            &table);
  table.Column("applied\ninside", Align::kLeft, Each(ladder.rungs(), [](const v1::Rung& rung) {
                 return YesNo(rung.has_is_contained(), rung.is_contained());
               }));
  table.Column("processes\nthat see it", Align::kRight,
               Each(ladder.rungs(), [](const v1::Rung& rung) {
                 return absl::StrCat(rung.processes_seeing(), " of ", rung.processes());
               }));
  table.Column("plain ~\ndelayed", Align::kRight, Each(ladder.rungs(), [](const v1::Rung& rung) {
                 return rung.has_correlation() ? fmt::format("{:.3f}", rung.correlation())
                                               : std::string(kAbsent);
               }));
  table.Print(2, page);
}

std::string SlopeText(const v1::LadderReport& ladder) {
  if (!ladder.has_slope()) return "not run";
  std::string text = fmt::format("{:.4f}", ladder.slope());
  if (ladder.has_slope_low()) {
    absl::StrAppend(&text,
                    fmt::format(" [{:.4f}, {:.4f}]", ladder.slope_low(), ladder.slope_high()));
  }
  absl::StrAppend(&text, " of the applied delay");
  if (ladder.has_is_slope_one()) {
    absl::StrAppend(&text, ladder.is_slope_one() ? ", not told apart from 1" : ", differs from 1");
  }
  if (ladder.pass_slopes_size() > 1) {
    absl::StrAppend(&text, "; by pass ",
                    absl::StrJoin(ladder.pass_slopes(), ", ", [](std::string* out, double slope) {
                      absl::StrAppend(out, fmt::format("{:.4f}", slope));
                    }));
  }
  return text;
}

std::string CarryOverText(const v1::LadderReport& ladder) {
  if (!ladder.has_carry_over()) return "not run";
  std::string text = fmt::format("{:+.4f}", ladder.carry_over());
  if (ladder.has_carry_over_low()) {
    absl::StrAppend(&text, fmt::format(" [{:+.4f}, {:+.4f}]", ladder.carry_over_low(),
                                       ladder.carry_over_high()));
  }
  return absl::StrCat(text, " us on the next operation for each us of delay");
}

std::string VisibleText(const v1::SmallestVisible& visible) {
  if (!visible.has_value_ns()) {
    return absl::StrCat(StatusWord(visible.status()), ": ", visible.text());
  }
  return absl::StrCat(FormatOne(visible.value_ns()), " (80 %), ", FormatOne(visible.value_ns_95()),
                      " (95 %)");
}

void AddConclusions(const v1::LadderReport& ladder, Page* page) {
  page->Blank();
  page->Item(2, kHeadWidth, "response", SlopeText(ladder));
  page->Item(2, kHeadWidth, "carry-over", CarryOverText(ladder));
  page->Item(2, kHeadWidth, "smallest visible",
             absl::StrCat("from the rung without a delay ", VisibleText(ladder.visible())));
  std::string from_rungs =
      absl::StrCat("from all rungs ", VisibleText(ladder.visible_from_rungs()));
  if (ladder.has_is_visible_agreed()) {
    absl::StrAppend(&from_rungs, ladder.is_visible_agreed()
                                     ? "; the two agree within what so few processes can tell"
                                     : "; the two do not agree");
  }
  page->Item(2, kHeadWidth, "", from_rungs);
}

// The range over all ordered pairs of different processes.
Range SeparateRange(const v1::Rung& rung) {
  if (!rung.has_separate_low_ns()) return {};
  return {.value = (rung.separate_low_ns() + rung.separate_high_ns()) / 2,
          .low = rung.separate_low_ns(),
          .high = rung.separate_high_ns()};
}

void AddOtherMethods(const v1::LadderReport& ladder, Page* page) {
  page->Heading("What other methods would have said of the same samples");
  Table table;
  AddAsked(ladder, &table);
  AddRanges("all pairs pooled",
            Each(ladder.rungs(), [](const v1::Rung& rung) { return RangeOf(rung.pooled()); }),
            &table);
  table.Column("applied\ninside", Align::kLeft, Each(ladder.rungs(), [](const v1::Rung& rung) {
                 return YesNo(rung.has_is_contained_in_pooled(), rung.is_contained_in_pooled());
               }));
  std::vector<Range> separate = Each(ladder.rungs(), SeparateRange);
  const Scale scale = Scale::ForDurations(ValuesOf(separate));
  table.Column(absl::StrCat("two separate\nprocesses, ", scale.unit()), Align::kRight,
               Each(ladder.rungs(), [&scale](const v1::Rung& rung) {
                 if (!rung.has_separate_low_ns()) return std::string(kAbsent);
                 return absl::StrCat(scale.FormatSigned(rung.separate_low_ns()), " to ",
                                     scale.FormatSigned(rung.separate_high_ns()));
               }));
  table.Column("above\n0", Align::kRight, Each(ladder.rungs(), [](const v1::Rung& rung) {
                 return FormatShare(
                     NumberIf(rung.has_separate_positive_share(), rung.separate_positive_share()));
               }));
  table.Print(2, page);
}

void AddStudiedOrder(const v1::LadderReport& ladder, const v1::StudiedOrder& studied, Page* page) {
  page->Heading(
      absl::StrCat("What processes in ", WordOf(studied.order()), " order would have said"));
  Table table;
  AddAsked(ladder, &table);
  AddRanges(
      "difference",
      Each(studied.rungs(), [](const v1::StudiedRung& rung) { return RangeOf(rung.estimate()); }),
      &table);
  table.Column("applied\ninside", Align::kLeft,
               Each(studied.rungs(), [](const v1::StudiedRung& rung) {
                 return YesNo(rung.has_is_contained(), rung.is_contained());
               }));
  table.Column("processes sure of\na wrong size", Align::kRight,
               Each(studied.rungs(), [](const v1::StudiedRung& rung) {
                 return absl::StrCat(rung.processes_wrong(), " of ", rung.processes());
               }));
  table.Print(2, page);
}

}  // namespace

void AddLadder(const v1::Report& report, Page* page) {
  if (!report.has_ladder()) return;
  const v1::LadderReport& ladder = report.ladder();
  AddRungs(ladder, page);
  AddConclusions(ladder, page);
  AddOtherMethods(ladder, page);
  for (const v1::StudiedOrder& studied : ladder.studied_orders()) {
    AddStudiedOrder(ladder, studied, page);
  }
}

}  // namespace tare::coordinator
