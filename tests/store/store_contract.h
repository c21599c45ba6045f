// What every Store must do, as a suite over a factory. Each back end instantiates it:
//
//   INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract, testing::Values(&MakeSqliteHome));

#ifndef TARE_TESTS_STORE_STORE_CONTRACT_H_
#define TARE_TESTS_STORE_STORE_CONTRACT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"
#include "gtest/gtest.h"

namespace tare::coordinator {

// An empty place for a store; removed when destroyed.
class StoreHome {
 public:
  virtual ~StoreHome() = default;
  // Any number of times, also while another Store of this home is open.
  virtual absl::StatusOr<std::unique_ptr<Store>> Open() = 0;
  // What messages call the store.
  virtual std::string Name() const = 0;
};

class StoreContract : public testing::TestWithParam<std::unique_ptr<StoreHome> (*)()> {
 protected:
  void SetUp() override;

  std::unique_ptr<StoreHome> home_;
  std::unique_ptr<Store> store_;
};

// A run of `trials_count` trials and two arms, added to `store` as `run`.
void AddTestRun(Store& store, const std::string& run, int32_t trials_count,
                int64_t created_unix_ns = 1);

// A block of `samples_count` realistic samples of two arms with two steps and evidence, the same
// for the same `block`.
v1::SampleBlock MakeTestBlock(int32_t block, int32_t samples_count);

// A chunk of trial 0, attempt 1, epoch 5 with a correct crc.
v1::Chunk MakeTestChunk(const std::string& run, const std::string& role, int64_t sequence,
                        v1::ChunkKind kind, const google::protobuf::MessageLite& payload,
                        int32_t count = 0);

// One attempt at trial 0: two sample chunks of role "workload" with 10 samples each, a record with
// `outcome`, its manifest; in this order.
std::vector<v1::Chunk> MakeTestAttempt(const std::string& run, v1::TrialOutcome outcome);

}  // namespace tare::coordinator

#endif  // TARE_TESTS_STORE_STORE_CONTRACT_H_
