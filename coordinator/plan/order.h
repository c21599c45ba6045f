// In which order arms come: the sequences behind `order:`. For in-process designs a set is one
// sample of every arm, for rounds it is one trial of every arm.
//
// Arms are indices 0 … arms_count − 1. Pure functions of their arguments and the generator's state.

#ifndef TARE_COORDINATOR_PLAN_ORDER_H_
#define TARE_COORDINATOR_PLAN_ORDER_H_

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// `sets_count` shuffled sets of every arm, one after the other, in permuted blocks: over a block
// (as many sets as arms, twice that when their number is odd) every arm is in every position
// equally often, comes before every other arm equally often, and inside sets directly follows every
// other arm equally often. A last, shorter block is so in expectation. Each single set is a
// uniformly random permutation. Two arms: AB and BA in random order.
std::vector<uint32_t> MakeRandomSets(uint32_t arms_count, int64_t sets_count, Random* random);

// A random walk of `samples_count` samples in which every arm follows every arm, itself included,
// equally often, give or take one. `previous` is the arm before the walk; its step to the first
// sample counts. The balance holds all along the walk, not only at its end, so that drift of the
// machine meets all arms alike.
std::vector<uint32_t> MakeBalancedWalk(uint32_t arms_count, int64_t samples_count,
                                       uint32_t previous, Random* random);

// Appends the arms of `sets_count` sets in the given order, balanced in themselves. A balanced walk
// goes on from the last arm that is there.
void AppendSets(v1::Order order, uint32_t arms_count, int64_t sets_count, Random* random,
                std::vector<uint32_t>* samples);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_ORDER_H_
