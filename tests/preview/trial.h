// A trial of tare-preview played in the test's own process.

#ifndef TARE_TESTS_PREVIEW_TRIAL_H_
#define TARE_TESTS_PREVIEW_TRIAL_H_

#include <string>
#include <vector>

#include "workloads/preview/preview.h"
#include "workloads/sdk/cpp/block.h"

namespace tare::preview {

inline sdk::TrialSetup MakeSetup(const std::vector<sdk::ConfigEntries>& arms,
                                 const std::vector<std::string>& addresses = {}) {
  sdk::TrialSetup setup;
  setup.seed = 42;
  for (const sdk::ConfigEntries& entries : arms) {
    const std::string name(1, static_cast<char>('a' + setup.arms.size()));
    setup.arms.push_back({name, sdk::Config(name, entries)});
  }
  for (const std::string& address : addresses) setup.services.push_back({"db", address});
  return setup;
}

// `sets` sets of all arms, in the order of setup.
inline sdk::BlockRequest MakeRequest(int arms, int sets) {
  sdk::BlockRequest request;
  for (int i = 0; i < arms * sets; ++i) request.arms.push_back(i % arms);
  request.arms_per_set = arms;
  return request;
}

}  // namespace tare::preview

#endif  // TARE_TESTS_PREVIEW_TRIAL_H_
