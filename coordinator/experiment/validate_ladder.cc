#include "coordinator/experiment/validate_ladder.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/units.h"
#include "coordinator/experiment/spelling.h"

namespace tare::coordinator {
namespace {

class LadderValidator {
 public:
  LadderValidator(const v1::Experiment& experiment, const Complaints& complaints)
      : experiment_(experiment), ladder_(experiment.ladder()), complaints_(complaints) {}

  void CheckAll() {
    CheckArm();
    CheckRungs();
    CheckDesign();
    for (const auto& [key, detail] : {
             std::pair{"sweep", "the rungs are its cells"},
             std::pair{"compare", "it compares its arm with itself"},
             std::pair{"checks", "its first rung is the control, its last the known delay"},
             std::pair{"threshold", "it states what can be seen and decides nothing"},
             std::pair{"stop", "it states what can be seen and decides nothing"},
             std::pair{"confirm", "it states what can be seen and decides nothing"},
             std::pair{"metrics", "it is about the latency of an operation"},
         }) {
      if (complaints_.IsWritten(key)) {
        complaints_.AtKey(key, "does not go with 'ladder'", detail, "remove it");
      }
    }
  }

 private:
  void CheckArm() {
    const std::vector<std::string> arms = NamesOf(experiment_.arms());
    if (ladder_.has_arm() && !Contains(arms, ladder_.arm())) {
      complaints_.AtValue("ladder.arm", absl::StrCat("there is no arm '", ladder_.arm(), "'"),
                          absl::StrCat("arms: ", absl::StrJoin(arms, ", ")),
                          NearAdvice(ladder_.arm(), arms));
    }
    if (arms.size() > 1) {
      complaints_.AtKey("arms", "are more than one, and a ladder measures one",
                        "it compares that arm with itself", "leave the others out");
    }
  }

  void CheckRungs() {
    const std::string path = "ladder.delays";
    if (!complaints_.IsWritten(path)) return;  // its absence is told already
    if (ladder_.delays_ns_size() < kRungsMin || ladder_.delays_ns_size() > kRungsMax) {
      complaints_.AtKey(path, absl::StrCat("has ", ladder_.delays_ns_size(), " rungs"),
                        absl::StrCat("accepted: ", kRungsMin, " to ", kRungsMax),
                        "write [0us, 5us, 25us, 100us, 500us]");
      return;
    }
    if (ladder_.delays_ns(0) != 0) {
      complaints_.AtValue(PathTo(path, 0), "is not 0us",
                          "the rung without a delay is the control: two equal arms",
                          "begin with 0us");
    }
    for (int i = 1; i < ladder_.delays_ns_size(); ++i) {
      if (ladder_.delays_ns(i) <= ladder_.delays_ns(i - 1)) {
        complaints_.AtValue(PathTo(path, i), "is not longer than the one before",
                            "rungs are told in ascending order, each once");
      } else if (ladder_.delays_ns(i) > kRungNsMax) {
        complaints_.AtValue(PathTo(path, i), "is out of bounds",
                            absl::StrCat("at most ", FormatDurationExact(kRungNsMax)));
      }
    }
  }

  void CheckDesign() {
    const v1::Design& design = experiment_.design();
    if (design.has_pairing() && design.pairing() != v1::PAIRING_IN_PROCESS) {
      complaints_.AtValue("design.pairing", "does not go with 'ladder'",
                          "a plain and a delayed operation share their process",
                          "write 'in-process'");
    }
    if (design.has_order() && design.order() != v1::ORDER_RANDOM) {
      complaints_.AtValue("design.order", "does not go with 'ladder'",
                          "the ladder itself has no bias of order",
                          "write 'random', and name the others under 'study'");
    }
  }

  const v1::Experiment& experiment_;
  const v1::Ladder& ladder_;
  const Complaints& complaints_;
};

}  // namespace

void ValidateLadder(const v1::Experiment& experiment, const Complaints& complaints) {
  LadderValidator(experiment, complaints).CheckAll();
}

}  // namespace tare::coordinator
