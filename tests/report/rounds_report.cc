#include <google/protobuf/text_format.h>

#include <cstdlib>

#include "tests/report/sample_reports.h"

namespace tare::coordinator {

v1::Report RoundsReport() {
  constexpr char kText[] = R"pb(
    experiment: "loan"
    purpose: PURPOSE_GATE
    verdict: VERDICT_INCONCLUSIVE
    exit_code: 2
    pairing: PAIRING_ROUNDS
    trials_planned: 30
    trials_counted: 30
    rounds_planned: 10
    rounds_counted: 10
    samples_count: 20942
    version: "0.1.0"
    sources: "loan_rounds.jsonl"
    comparisons {
      baseline: "baseline"
      candidate: "candidate"
      metric: "p95"
      verdict: VERDICT_INCONCLUSIVE
      sentence: "the rounds do not tell"
      processes: 10
    }
    warm_up_tables {
      samples_per_block: 100
      warmup_samples: 100
      arms: "baseline"
      arms: "candidate"
      blocks {
        first: 0
        last: 99
        arms { samples_count: 1000 median_ns: 834000 p95_ns: 5538000 }
        arms { samples_count: 1000 median_ns: 881000 p95_ns: 5342000 }
      }
      blocks {
        first: 100
        last: 398
        arms { samples_count: 300 median_ns: 804000 }
        arms { samples_count: 300 median_ns: 860000 }
      }
      steadiness {
        baseline: "baseline"
        candidate: "candidate"
        status: CHECK_STATUS_WARNED
        text: "unresolved: moves by -2.16 % over 29 blocks of 20 samples from block 0 on; more "
              "than 4.48 % is excluded (tolerance 1 %)"
      }
    }
    round_spreads {
      metric: "p95"
      baseline: "baseline"
      rounds: 10
      baseline_values { min: 1233000 median: 1291000 max: 1553000 factor: 1.26 }
      ratios {
        arm: "control"
        spread { min: 0.811 median: 0.974 max: 1.176 factor: 1.45 }
      }
      ratios {
        arm: "candidate"
        spread { min: 0.864 median: 1.138 max: 1.316 factor: 1.52 }
      }
    }
    decision_scans {
      metric: "p95"
      baseline: "baseline"
      control: "control"
      candidate: "candidate"
      seed: 1
      subsets: 500
      rounds: 10
      thresholds: 0.05
      thresholds: 0.1
      rows {
        rounds: 5
        skipped_samples: 100
        independent: 2
        cells {
          false_fails: 12
          false_passes: 31
          false_fail_rate_max: 0.79
          false_pass_rate_max: 0.8
        }
        cells {
          false_fails: 0
          false_passes: 88
          false_fail_rate_max: 0.78
          false_pass_rate_max: 0.83
        }
      }
      rows {
        rounds: 8
        independent: 1
        cells { false_fails: 0 false_passes: 500 false_fail_rate_max: 0.95 false_pass_rate_max: 1 }
        cells { false_fails: 0 false_passes: 500 false_fail_rate_max: 0.95 false_pass_rate_max: 1 }
      }
    }
  )pb";
  v1::Report report;
  if (!google::protobuf::TextFormat::ParseFromString(kText, &report)) std::abort();
  return report;
}

}  // namespace tare::coordinator
