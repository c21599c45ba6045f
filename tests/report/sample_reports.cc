#include "tests/report/sample_reports.h"

#include <string>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

template <typename M>
M Parse(const std::string& text) {
  M message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

constexpr char kRun[] = R"pb(
  started_unix_ns: 1796000000000000000
  duration_ns: 48211000000
  seed: 20261130
  gates: GATES_NORMAL
  version: "0.1.0"
  machines {
    host: "lab-3"
    kernel: "6.1.0-28-amd64"
    cpu_model: "AMD EPYC 7B13"
    cpus_count: 2
    memory_bytes: 8589934592
    os: "Debian GNU/Linux 12 (bookworm)"
    clock_source: "tsc"
    virtualization: "kvm"
  }
)pb";

constexpr char kPreviewRun[] = R"pb(
  run: "20261130-211500-k3f9"
  experiment: "preview-cost"
  question: "What does a live preview cost when it is a transaction that is rolled back?"
  purpose: PURPOSE_ESTIMATE
  pairing: PAIRING_IN_PROCESS
  order: ORDER_RANDOM
  warmup: 80
  washout: 1
  trials_planned: 30
  trials_counted: 30
  rounds_planned: 10
  rounds_counted: 10
  samples_count: 45600
  services {
    name: "db"
    kind: "postgres"
    version: "15.10 (Debian 15.10-0+deb12u1)"
    is_private: true
    empty_round_trip_ns: 41300
    settings { name: "fsync" value: "on" }
    settings { name: "jit" value: "on" }
    settings { name: "max_connections" value: "100" }
    settings { name: "shared_buffers" value: "128MB" }
    settings { name: "synchronous_commit" value: "on" }
  }
  programs {
    role: "workload"
    program_path: "/opt/tare/bin/tare-preview"
    program_sha256: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"
    harness: "tare-sdk-cpp 0.1.0"
    runtime: "c++ g++ 12.2.0"
    clock_tick_ns: 10
  }
  integrity { name: "incomplete" status: CHECK_STATUS_PASSED }
  integrity { name: "no-work" status: CHECK_STATUS_PASSED }
  integrity { name: "different-work" status: CHECK_STATUS_PASSED }
  integrity { name: "not-steady" status: CHECK_STATUS_NOT_RUN text: "comes later" }
  integrity { name: "generator-behind" status: CHECK_STATUS_NOT_RUN text: "no load generator" }
  machine_checks { name: "load" worst: CHECK_STATUS_PASSED trials_count: 30 value_worst: 0.4 }
  machine_checks {
    name: "cpu-busy"
    worst: CHECK_STATUS_WARNED
    trials_warned: 3
    trials_count: 30
    value_worst: 12.34
    limit: 3
    unit: "%"
    culprit: "pid 4711 'cc1plus' 93 % of cpu1"
    advice: "stop the compiler or wait until it has ended"
  }
  machine_checks { name: "governor" worst: CHECK_STATUS_NOT_RUN trials_count: 30 }
  machine_checks { name: "turbo" worst: CHECK_STATUS_NOT_RUN trials_count: 30 }
)pb";

constexpr char kSmallCell[] = R"pb(
  baseline: "copy"
  candidate: "rollback"
  metric: "latency"
  cell: "plans=10"
  verdict: VERDICT_SLOWER
  sentence: "rollback is slower than copy by 331 us [322, 340] (95 %)"
  estimate { value_ns: 331200 low_ns: 322100 high_ns: 340300 confidence: 0.95 }
  ratio { value: 61.04 low: 58.2 high: 63.9 }
  processes: 10
  sets: 3000
  positive_share: 0.9993
  order_effect { effect { value_ns: 210 low_ns: -800 high_ns: 1220 confidence: 0.95 } }
  carry_over {
    status: CHECK_STATUS_PASSED
    effect { value_ns: 410 low_ns: -1900 high_ns: 2720 confidence: 0.95 }
  }
  smallest_visible {
    status: CHECK_STATUS_PASSED
    value_ns: 71
    relative: 0.0129
    power: 0.8
    value_ns_95: 92
  }
  control {
    status: CHECK_STATUS_PASSED
    estimate { value_ns: -12 low_ns: -63 high_ns: 39 confidence: 0.95 }
    test { value_ns: -12 low_ns: -86 high_ns: 62 confidence: 0.99 }
  }
  known_delay {
    status: CHECK_STATUS_PASSED
    asked_ns: 275
    applied_ns: 312
    estimate { value_ns: 318 low_ns: 241 high_ns: 395 confidence: 0.95 }
    is_seen: true
    is_contained: true
  }
  process_estimates_ns: [ 318200, 345900, 331000 ]
  placement {
    status: CHECK_STATUS_PASSED
    explained_share: 0.87
    text: "processes that shared a core with the server were faster"
    groups {
      name: "same core"
      processes: 4
      baseline_median_ns: 5510
      candidate_median_ns: 291300
      difference_ns: 285790
    }
    groups {
      name: "other core"
      processes: 6
      baseline_median_ns: 5530
      candidate_median_ns: 401200
      difference_ns: 395670
    }
  }
  steps {
    name: "update"
    baseline_ns: 320
    candidate_ns: 121400
    estimate { value_ns: 121080 low_ns: 118000 high_ns: 124160 confidence: 0.95 }
  }
  steps {
    name: "read back"
    baseline_ns: 0
    candidate_ns: 143900
    estimate { value_ns: 143900 low_ns: 139100 high_ns: 148700 confidence: 0.95 }
  }
  steps {
    name: "compute"
    baseline_ns: 5190
    candidate_ns: 5230
    estimate { value_ns: 40 low_ns: -22 high_ns: 102 confidence: 0.95 }
  }
  steps {
    name: "rollback"
    baseline_ns: 0
    candidate_ns: 64900
    estimate { value_ns: 64900 low_ns: 61800 high_ns: 68000 confidence: 0.95 }
  }
  baseline_median_ns: 5520
  candidate_median_ns: 336720
  hodges_lehmann { value_ns: 330800 low_ns: 321700 high_ns: 341000 confidence: 0.95 }
  p_adjusted: 0.0000021
  unit_of_inference: "process"
  variance_components { level: "set" sd_ns: 41200 units: 3000 share: 0.0322 }
  variance_components { level: "process" sd_ns: 8310 units: 10 share: 0.394 }
  variance_components { level: "host" sd_ns: 5740 units: 3 share: 0.574 }
)pb";

constexpr char kMiddleCell[] = R"pb(
  baseline: "copy"
  candidate: "rollback"
  metric: "latency"
  cell: "plans=40"
  verdict: VERDICT_SLOWER
  flags: [ "placement", "carry-over" ]
  sentence: "rollback is slower than copy by 459 us [447, 471] (95 %)"
  estimate { value_ns: 459100 low_ns: 447200 high_ns: 471000 confidence: 0.95 }
  ratio { value: 22.3 low: 21.1 high: 23.5 }
  processes: 10
  sets: 3000
  positive_share: 1
  order_effect { effect { value_ns: -310 low_ns: -1500 high_ns: 880 confidence: 0.95 } }
  carry_over {
    status: CHECK_STATUS_WARNED
    effect { value_ns: 8000 low_ns: 1200 high_ns: 14800 confidence: 0.95 }
    text: "a sample after rollback is slower by 8.0 us; 'washout: 1' would cure it"
  }
  smallest_visible { status: CHECK_STATUS_PASSED value_ns: 412 relative: 0.0191 power: 0.8 }
  control {
    status: CHECK_STATUS_PASSED
    estimate { value_ns: 120 low_ns: -140 high_ns: 380 confidence: 0.95 }
  }
  known_delay {
    status: CHECK_STATUS_PASSED
    asked_ns: 1080
    applied_ns: 1127
    estimate { value_ns: 1040 low_ns: 700 high_ns: 1380 confidence: 0.95 }
    is_seen: true
    is_contained: true
  }
  process_estimates_ns: [ 431000, 482000 ]
  unit_of_inference: "process"
  variance_components { level: "set" sd_ns: 61000 units: 3000 share: 1 }
  variance_components { level: "process" sd_ns: 0 is_clamped: true units: 10 share: 0 }
  baseline_median_ns: 21550
  candidate_median_ns: 480650
  p_adjusted: 0.0000021
)pb";

constexpr char kLargeCell[] = R"pb(
  baseline: "copy"
  candidate: "rollback"
  metric: "latency"
  cell: "plans=120"
  verdict: VERDICT_SLOWER
  sentence: "rollback is slower than copy by 1.19 ms [1.16, 1.22] (95 %)"
  estimate { value_ns: 1190000 low_ns: 1160000 high_ns: 1220000 confidence: 0.95 }
  ratio { value: 9.31 low: 9.0 high: 9.62 }
  processes: 10
  sets: 3000
  positive_share: 0.987
  control { status: CHECK_STATUS_NOT_RUN text: "switched off by checks.control" }
  process_estimates_ns: [ 1101000, 1280000 ]
  baseline_median_ns: 143200
)pb";

}  // namespace

v1::Report SlowerReport() {
  v1::Report report = Parse<v1::Report>(std::string(kRun) + kPreviewRun);
  report.set_verdict(v1::VERDICT_SLOWER);
  for (const char* cell : {kSmallCell, kMiddleCell, kLargeCell}) {
    *report.add_comparisons() = Parse<v1::ReportComparison>(cell);
  }
  report.add_warnings("the busiest CPU was above its limit in 3 of 30 trials");
  return report;
}

v1::Report ConfoundedReport() {
  v1::Report report = Parse<v1::Report>(std::string(kRun) + R"pb(
    run: "20261130-213000-aa01"
    experiment: "fixed-order"
    purpose: PURPOSE_ESTIMATE
    verdict: VERDICT_REFUSED
    exit_code: 3
    pairing: PAIRING_IN_PROCESS
    order: ORDER_FIXED
    trials_planned: 10
    trials_counted: 10
    rounds_planned: 10
    rounds_counted: 10
    integrity { name: "order-confounded" status: CHECK_STATUS_REFUSED text: "one arm always first" }
    comparisons {
      baseline: "plain"
      candidate: "same"
      metric: "latency"
      verdict: VERDICT_REFUSED
      sentence: "same cannot be told from its place in the order"
      refusals {
        code: "order-confounded"
        measured: "same always runs second; control against baseline -7.6 us [-8.7, -6.4]"
        limit: "every arm first in at least 5 sets of each process"
        advice: "use 'order: random', or name the order under 'study' when its bias is the question"
      }
      estimate { value_ns: -7600 low_ns: -8700 high_ns: -6400 confidence: 0.95 }
      ratio { value: 0.9803 low: 0.9775 high: 0.9834 }
      processes: 10
      sets: 3000
      positive_share: 0.21
      order_effect { is_confounded: true }
      carry_over { status: CHECK_STATUS_NOT_RUN text: "order and carry-over cannot be separated" }
      baseline_median_ns: 386000
    }
  )pb");
  return report;
}

v1::Report ProvisionalReport() {
  return Parse<v1::Report>(std::string(kRun) + R"pb(
    run: "20261130-214500-bb02"
    experiment: "few"
    purpose: PURPOSE_GATE
    verdict: VERDICT_INCONCLUSIVE
    exit_code: 2
    pairing: PAIRING_IN_PROCESS
    order: ORDER_BALANCED
    pin: [ "0", "1" ]
    trials_planned: 4
    trials_counted: 4
    rounds_planned: 4
    rounds_counted: 4
    comparisons {
      baseline: "old"
      candidate: "new"
      metric: "latency"
      cell: "size=1MiB"
      verdict: VERDICT_INCONCLUSIVE
      flags: "provisional"
      sentence: "4 processes are too few for a verdict; 5 are needed"
      estimate { value_ns: 2100 low_ns: -3300 high_ns: 7500 confidence: 0.95 }
      ratio { value: 1.0043 low: 0.9932 high: 1.0155 }
      processes: 4
      sets: 1200
      positive_share: 0.53
      smallest_visible { status: CHECK_STATUS_NOT_RUN text: "needs 8 processes, has 4" }
      control {
        status: CHECK_STATUS_PASSED
        estimate { value_ns: -800 low_ns: -5200 high_ns: 3600 confidence: 0.95 }
      }
      baseline_median_ns: 484000
    }
  )pb");
}

v1::Report GateReport() {
  return Parse<v1::Report>(std::string(kRun) + R"pb(
    run: "20261130-220000-cc03"
    experiment: "compare"
    purpose: PURPOSE_GATE
    verdict: VERDICT_REGRESSION
    exit_code: 1
    pairing: PAIRING_ROUNDS
    order: ORDER_RANDOM
    trials_planned: 90
    trials_counted: 87
    rounds_planned: 30
    rounds_counted: 29
    attempts_discarded: 2
    samples_count: 87
    comparisons {
      baseline: "sort --parallel=1 big.txt"
      candidate: "sort --parallel=1 --stable big.txt"
      metric: "wall"
      verdict: VERDICT_REGRESSION
      flags: "odd-process"
      sentence: "the candidate takes 0.312 s longer [0.291, 0.333] (95 %), 12.3 % of the baseline"
      estimate { value_ns: 312000000 low_ns: 291000000 high_ns: 333000000 confidence: 0.95 }
      ratio { value: 1.123 low: 1.114 high: 1.132 }
      processes: 29
      sets: 29
      control {
        status: CHECK_STATUS_PASSED
        estimate { value_ns: 4000000 low_ns: -11000000 high_ns: 19000000 confidence: 0.95 }
      }
      baseline_median_ns: 2536000000
      p_adjusted: 0.0213
    }
    warnings: "stdout of the two commands differs"
  )pb");
}

v1::Report RoundTripsReport() {
  return Parse<v1::Report>(std::string(kRun) + R"pb(
    run: "20261201-090000-ee05"
    experiment: "round-trips"
    purpose: PURPOSE_ESTIMATE
    verdict: VERDICT_SLOWER
    pairing: PAIRING_IN_PROCESS
    order: ORDER_RANDOM
    trials_planned: 30
    trials_counted: 30
    rounds_planned: 10
    rounds_counted: 10
    services {
      name: "db"
      kind: "postgres"
      version: "15.10"
      is_private: true
      empty_round_trip_ns: 41300
    }
    services { name: "wire" kind: "proxy" version: "0.2.0" is_private: true }
    comparisons {
      baseline: "direct"
      candidate: "rollback"
      metric: "latency"
      cell: "wire.delay=0us"
      verdict: VERDICT_SLOWER
      sentence: "rollback is slower than direct by 57.2 us [55.1, 59.3] (95 %)"
      estimate { value_ns: 57200 low_ns: 55100 high_ns: 59300 confidence: 0.95 }
      processes: 10
      baseline_median_ns: 331200
    }
    round_trips {
      arm: "rollback"
      service: "wire"
      status: CHECK_STATUS_PASSED
      text: "3 round trips by slope, 3.000 by counting"
      turns_per_operation: 3
      client_writes_per_operation: 3
      postgres_round_trips_per_operation: 3
      slope: 3.0012
      slope_low: 2.9961
      slope_high: 3.0063
      established: 3
      slopes: [ 3.001, 2.998, 3.004 ]
      levels { asked_ns: 0 applied_ns: 830 latency_ns: 388400 processes: 10 }
      levels { asked_ns: 250000 applied_ns: 250910 latency_ns: 1141300 processes: 10 }
      levels { asked_ns: 2000000 applied_ns: 2001050 latency_ns: 6391900 processes: 10 }
      distance {
        explained_ns: 6160000
        estimate { value_ns: 1923200 low_ns: 1919800 high_ns: 1926700 confidence: 0.95 }
        text: "6.16 ms would need a distance of 1.92 ms [1.92 ms, 1.93 ms] a round trip"
      }
      proxy_cost { value_ns: 57200 low_ns: 55100 high_ns: 59300 confidence: 0.95 }
    }
    round_trips {
      arm: "copy"
      service: "wire"
      cell: "plans=10"
      status: CHECK_STATUS_NOT_RUN
      text: "a slope needs at least 3 levels of wire.delay, the sweep has 2; not counted, since "
            "no block has the proxy's counters"
      levels { asked_ns: 0 applied_ns: 830 latency_ns: 5400 processes: 10 }
      levels { asked_ns: 1000000 }
    }
    proxies {
      service: "wire"
      direction: "to-client: a round trip takes the delay once"
      releases: 182400
      late_p50_ns: 910
      late_p99_ns: 11800
      polling_share: 0.041
      turns: 273600
    }
  )pb");
}

v1::Report NearlyEmptyReport() {
  return Parse<v1::Report>(R"pb(
    run: "20261130-221500-dd04"
    experiment: "nothing"
    verdict: VERDICT_REFUSED
    exit_code: 3
    refusals {
      code: "incomplete"
      measured: "trial 0: process exited with signal 11 after 0.02 s"
      limit: "every planned trial has its samples"
      advice: "read the program's log: tare show 20261130-221500-dd04"
    }
    comparisons { baseline: "a" candidate: "b" metric: "latency" verdict: VERDICT_REFUSED }
  )pb");
}

}  // namespace tare::coordinator
