#include "coordinator/experiment/validate_gate.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "coordinator/experiment/spelling.h"

namespace tare::coordinator {
namespace {

std::string WordOfMetric(int metric) {
  return WordOf(*v1::Metric_descriptor()->FindValueByNumber(metric));
}

// Metrics whose values are times.
bool IsTime(int metric) {
  return metric != v1::METRIC_THROUGHPUT && metric != v1::METRIC_PEAK_MEMORY;
}

class GateValidator {
 public:
  GateValidator(const v1::Experiment& experiment, const Complaints& complaints)
      : experiment_(experiment),
        complaints_(complaints),
        is_in_rounds_(experiment.design().pairing() == v1::PAIRING_ROUNDS) {}

  void CheckAll() {
    CheckThreshold();
    CheckMetrics();
    CheckStop();
    if (experiment_.confirm() == v1::SWITCH_ON && !experiment_.has_threshold()) {
      complaints_.AtKey("confirm", "needs a threshold",
                        "what is measured again is what regressed beyond it",
                        "add 'threshold: { relative: 5% }'");
    }
  }

 private:
  void CheckThreshold() {
    if (!experiment_.has_threshold()) return;
    const v1::Threshold& threshold = experiment_.threshold();
    if (!complaints_.IsWritten("threshold.relative") &&
        !complaints_.IsWritten("threshold.absolute")) {
      complaints_.AtKey("threshold", "says no size", "accepted: relative, absolute, or both",
                        "add 'relative: 5%'");
      return;
    }
    if (threshold.has_relative_ppm()) return;
    for (int i = 0; i < experiment_.metrics_size(); ++i) {
      const int metric = experiment_.metrics(i);
      if (IsTime(metric)) continue;
      complaints_.AtValue(PathTo("metrics", i),
                          absl::StrCat("'", WordOfMetric(metric), "' needs a relative threshold"),
                          "an absolute threshold is a time, which this metric is not",
                          "add 'relative: 5%' to 'threshold'");
    }
  }

  void CheckMetrics() {
    std::set<int> seen;
    for (int i = 0; i < experiment_.metrics_size(); ++i) {
      const int metric = experiment_.metrics(i);
      const std::string path = PathTo("metrics", i);
      if (!seen.insert(metric).second) {
        complaints_.AtValue(path, absl::StrCat("'", WordOfMetric(metric), "' is listed twice"));
      } else if (metric != v1::METRIC_LATENCY && !is_in_rounds_) {
        complaints_.AtValue(path,
                            absl::StrCat("'", WordOfMetric(metric), "' needs 'pairing: rounds'"),
                            "only there a process runs one arm, whose total it is",
                            "set 'pairing: rounds', or write 'latency'");
      } else if (metric == v1::METRIC_SERVER_CPU && !HasServer()) {
        complaints_.AtValue(path, "there is no server",
                            "it is the processor time of a service of kind 'server'",
                            "add one, or remove this metric");
      }
    }
  }

  bool HasServer() const {
    return std::any_of(experiment_.services().begin(), experiment_.services().end(),
                       [](const v1::Service& service) { return service.has_server(); });
  }

  void CheckStop() {
    if (!experiment_.has_stop()) return;
    const v1::Stop& stop = experiment_.stop();
    if (!is_in_rounds_) {
      complaints_.AtKey("stop", "needs 'pairing: rounds'", "it looks at the rounds measured so far",
                        "set 'pairing: rounds', or remove it");
      return;
    }
    if (stop.open_ended() == v1::SWITCH_ON) {
      CheckOpenEnded();
      return;
    }
    if (!complaints_.IsWritten("stop.max_rounds")) {
      complaints_.AtKey("stop", "needs 'max_rounds'",
                        "planned looks share their error over all rounds that there may be",
                        "add 'max_rounds: 20', or 'open_ended: on'");
    } else if (complaints_.IsWritten("design.rounds")) {
      complaints_.AtKey("design.rounds", "does not go with 'stop: max_rounds'",
                        "with planned looks that is the number of rounds", "remove it");
    }
  }

  void CheckOpenEnded() {
    if (complaints_.IsWritten("stop.looks")) {
      complaints_.AtKey("stop.looks", "does not go with 'open_ended: on'",
                        "an open-ended run looks after every round", "remove it");
    }
    if (!experiment_.has_threshold()) {
      complaints_.AtKey("stop.open_ended", "needs a threshold",
                        "without one nothing but a difference would ever end it",
                        "add 'threshold: { relative: 5% }'");
    }
  }

  const v1::Experiment& experiment_;
  const Complaints& complaints_;
  const bool is_in_rounds_;
};

}  // namespace

void ValidateGate(const v1::Experiment& experiment, const Complaints& complaints) {
  GateValidator(experiment, complaints).CheckAll();
}

}  // namespace tare::coordinator
