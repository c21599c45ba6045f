#include "coordinator/plan/order.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace tare::coordinator {
namespace {

using Set = std::vector<uint32_t>;

// 0, 1, n−1, 2, n−2, …: neighbours differ by every residue once, so that the n cyclic shifts of
// this set are a Latin square in which every arm directly follows every other equally often
// (Williams). For even n the shifts contain each other's reverses; odd n needs the reversed shifts
// too.
Set MakeZigzag(uint32_t arms_count) {
  Set set(arms_count);
  for (uint32_t i = 0; i < arms_count; ++i) {
    set[i] = i % 2 == 1 ? (i + 1) / 2 : (arms_count - i / 2) % arms_count;
  }
  return set;
}

// One block with arms renamed at random and its sets shuffled.
std::vector<Set> MakeBlock(uint32_t arms_count, Random* random) {
  std::vector<uint32_t> names(arms_count);
  std::iota(names.begin(), names.end(), 0);
  random->Shuffle(std::span<uint32_t>(names));
  const Set zigzag = MakeZigzag(arms_count);
  std::vector<Set> block;
  for (uint32_t shift = 0; shift < arms_count; ++shift) {
    Set set(arms_count);
    for (uint32_t i = 0; i < arms_count; ++i) set[i] = names[(zigzag[i] + shift) % arms_count];
    block.push_back(set);
    if (arms_count % 2 == 1 && arms_count > 1) {
      std::reverse(set.begin(), set.end());
      block.push_back(set);
    }
  }
  random->Shuffle(std::span<Set>(block));
  return block;
}

// For each arm but `root`, the arm to leave it for the last time: a uniformly random tree of paths
// to the root (Aldous and Broder: the first entries of a random walk from the root, reversed).
std::vector<uint32_t> MakeLastExits(uint32_t arms_count, uint32_t root, Random* random) {
  std::vector<uint32_t> last_exits(arms_count, root);
  std::vector<bool> is_reached(arms_count, false);
  is_reached[root] = true;
  uint32_t reached_count = 1;
  uint32_t at = root;
  while (reached_count < arms_count) {
    const auto next = static_cast<uint32_t>(random->Below(arms_count));
    if (!is_reached[next]) {
      is_reached[next] = true;
      last_exits[next] = at;
      ++reached_count;
    }
    at = next;
  }
  return last_exits;
}

// A uniformly random closed walk from `root` that takes every step from arm to arm, itself
// included, exactly once; the arms it comes to, in order. (BEST theorem: exits in random order, the
// tree's last.)
std::vector<uint32_t> MakeClosedWalk(uint32_t arms_count, uint32_t root, Random* random) {
  const std::vector<uint32_t> last_exits = MakeLastExits(arms_count, root, random);
  std::vector<std::vector<uint32_t>> exits(arms_count);
  for (uint32_t arm = 0; arm < arms_count; ++arm) {
    for (uint32_t to = 0; to < arms_count; ++to) {
      if (arm == root || to != last_exits[arm]) exits[arm].push_back(to);
    }
    random->Shuffle(std::span<uint32_t>(exits[arm]));
    if (arm != root) exits[arm].push_back(last_exits[arm]);
  }
  std::vector<uint32_t> walk;
  std::vector<size_t> taken_count(arms_count, 0);
  uint32_t at = root;
  while (taken_count[at] < exits[at].size()) {
    at = exits[at][taken_count[at]++];
    walk.push_back(at);
  }
  return walk;
}

}  // namespace

std::vector<uint32_t> MakeRandomSets(uint32_t arms_count, int64_t sets_count, Random* random) {
  const size_t samples_count = static_cast<size_t>(sets_count) * arms_count;
  std::vector<uint32_t> samples;
  samples.reserve(samples_count);
  while (samples.size() < samples_count) {
    for (const Set& set : MakeBlock(arms_count, random)) {
      if (samples.size() < samples_count) samples.insert(samples.end(), set.begin(), set.end());
    }
  }
  return samples;
}

std::vector<uint32_t> MakeBalancedWalk(uint32_t arms_count, int64_t samples_count,
                                       uint32_t previous, Random* random) {
  std::vector<uint32_t> samples;
  samples.reserve(static_cast<size_t>(samples_count));
  while (std::ssize(samples) < samples_count) {
    const uint32_t root = samples.empty() ? previous : samples.back();
    for (uint32_t arm : MakeClosedWalk(arms_count, root, random)) {
      if (std::ssize(samples) < samples_count) samples.push_back(arm);
    }
  }
  return samples;
}

void AppendSets(v1::Order order, uint32_t arms_count, int64_t sets_count, Random* random,
                std::vector<uint32_t>* samples) {
  const int64_t samples_count = sets_count * arms_count;
  std::vector<uint32_t> part;
  if (order == v1::ORDER_RANDOM) {
    part = MakeRandomSets(arms_count, sets_count, random);
  } else if (order == v1::ORDER_BALANCED) {
    const uint32_t previous =
        samples->empty() ? static_cast<uint32_t>(random->Below(arms_count)) : samples->back();
    part = MakeBalancedWalk(arms_count, samples_count, previous, random);
  } else {
    const bool is_fixed = order == v1::ORDER_FIXED;
    for (int64_t i = 0; i < samples_count; ++i) {
      part.push_back(static_cast<uint32_t>(is_fixed ? i % arms_count : i / sets_count));
    }
  }
  samples->insert(samples->end(), part.begin(), part.end());
}

}  // namespace tare::coordinator
