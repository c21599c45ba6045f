// Which CPU the calling thread runs on.

#ifndef TARE_BENCH_PROXY_AFFINITY_H_
#define TARE_BENCH_PROXY_AFFINITY_H_

#include <sched.h>

namespace tare::bench {

inline void PinTo(int cpu) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
}

}  // namespace tare::bench

#endif  // TARE_BENCH_PROXY_AFFINITY_H_
