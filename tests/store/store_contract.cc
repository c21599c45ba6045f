#include "tests/store/store_contract.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "google/protobuf/util/message_differencer.h"

namespace tare::coordinator {
namespace {

using google::protobuf::util::MessageDifferencer;

constexpr char kRun[] = "20261130-210836-k3f9";

struct VisitedBlock {
  std::string role;
  v1::SampleBlock block;
};

std::vector<VisitedBlock> ReadAll(Store& store, const std::string& run) {
  std::vector<VisitedBlock> blocks;
  EXPECT_EQ(store.ReadBlocks(run, 0, 1,
                             [&](const std::string& role, const v1::SampleBlock& block) {
                               blocks.push_back({role, block});
                               return absl::OkStatus();
                             }),
            absl::OkStatus());
  return blocks;
}

void AddChunks(Store& store, const std::vector<v1::Chunk>& chunks) {
  for (const v1::Chunk& chunk : chunks) ASSERT_EQ(store.AddChunk(chunk), absl::OkStatus());
}

void OpenTrial(Store& store) {
  AddTestRun(store, kRun, 3);
  ASSERT_EQ(store.AddAttempt(kRun, 0, "local", 5).value(), 1);
}

}  // namespace

void StoreContract::SetUp() {
  home_ = GetParam()();
  absl::StatusOr<std::unique_ptr<Store>> store = home_->Open();
  ASSERT_TRUE(store.ok()) << FormatError(store.status());
  store_ = std::move(store).value();
}

TEST_P(StoreContract, KeepsExperimentAndPlanAsTheyWere) {
  AddTestRun(*store_, kRun, 3, 1'796'073'000'000'000'000);
  store_ = home_->Open().value();
  const StoredRun run = store_->LoadRun(kRun).value();
  EXPECT_EQ(run.summary.run, kRun);
  EXPECT_EQ(run.summary.name, "preview-cost");
  EXPECT_EQ(run.summary.created_unix_ns, 1'796'073'000'000'000'000);
  EXPECT_EQ(run.summary.state, RunState::kRunning);
  EXPECT_EQ(run.summary.trials_planned, 3);
  EXPECT_EQ(run.experiment.name(), "preview-cost");
  EXPECT_EQ(run.plan.trials_size(), 3);
  EXPECT_EQ(run.plan.arms(1).name(), "rollback");
}

TEST_P(StoreContract, RefusesARunThatItHas) {
  AddTestRun(*store_, kRun, 1);
  const absl::Status status = store_->AddRun(kRun, 2, {}, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(status.message(),
            absl::StrCat("store '", home_->Name(), "' already has run '", kRun, "'"));
}

TEST_P(StoreContract, ListsRunsNewestFirstWithWhatCounts) {
  AddTestRun(*store_, "a", 2, 100);
  AddTestRun(*store_, "b", 1, 300);
  AddTestRun(*store_, "c", 1, 200);
  ASSERT_TRUE(store_->AddAttempt("a", 0, "local", 5).ok());
  AddChunks(*store_, MakeTestAttempt("a", v1::TRIAL_OUTCOME_COMPLETED));
  ASSERT_TRUE(store_->AddAttempt("c", 0, "local", 5).ok());
  AddChunks(*store_, MakeTestAttempt("c", v1::TRIAL_OUTCOME_FAILED));
  ASSERT_EQ(store_->SetRunState("b", RunState::kCancelled), absl::OkStatus());

  const std::vector<RunSummary> runs = store_->ListRuns().value();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].run, "b");
  EXPECT_EQ(runs[0].state, RunState::kCancelled);
  EXPECT_EQ(runs[1].run, "c");
  EXPECT_EQ(runs[1].trials_counted, 0);
  EXPECT_EQ(runs[1].samples_count, 0);
  EXPECT_EQ(runs[2].run, "a");
  EXPECT_EQ(runs[2].trials_planned, 2);
  EXPECT_EQ(runs[2].trials_counted, 1);
  EXPECT_EQ(runs[2].samples_count, 20);
}

TEST_P(StoreContract, FindsRunsByNameBeginningAndLast) {
  const absl::Status empty = store_->ResolveRun("last").status();
  EXPECT_EQ(FormatError(empty),
            absl::StrCat("store '", home_->Name(), "' has no runs\n  try: tare run FILE"));
  AddTestRun(*store_, "20261130-1", 1, 100);
  AddTestRun(*store_, "20261130-10", 1, 300);
  AddTestRun(*store_, "20261201-2", 1, 200);
  EXPECT_EQ(store_->ResolveRun("last").value(), "20261130-10");
  EXPECT_EQ(store_->ResolveRun("202612").value(), "20261201-2");
  EXPECT_EQ(store_->ResolveRun("20261130-1").value(), "20261130-1") << "an exact name wins";
  EXPECT_EQ(FormatError(store_->ResolveRun("20261130").status()),
            "'20261130' is the beginning of 2 runs\n"
            "  detail: 20261130-10, 20261130-1\n"
            "  try: give more of the run's name");
  EXPECT_EQ(store_->ResolveRun("20261130").status().code(), absl::StatusCode::kInvalidArgument);
  for (const char* name : {"2027", "2%", "%", "_0261130-1"}) {
    EXPECT_EQ(
        FormatError(store_->ResolveRun(name).status()),
        absl::StrCat("store '", home_->Name(), "' has no run '", name, "'\n  try: tare list"));
  }
}

TEST_P(StoreContract, SaysNotFoundOfWhatItDoesNotHave) {
  AddTestRun(*store_, kRun, 1);
  EXPECT_TRUE(absl::IsNotFound(store_->LoadRun("other").status()));
  EXPECT_TRUE(absl::IsNotFound(store_->SetRunState("other", RunState::kComplete)));
  EXPECT_TRUE(absl::IsNotFound(store_->AddAttempt("other", 0, "local", 1).status()));
  EXPECT_TRUE(absl::IsNotFound(store_->ListAttempts("other").status()));
  EXPECT_TRUE(absl::IsNotFound(store_->CloseAttempt(kRun, 0, 1, {})));
  const absl::Status status =
      store_->AddChunk(MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED)[0]);
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_EQ(status.message(), absl::StrCat("run '", kRun, "' trial 0 attempt 1 was never opened"));
  const absl::Status no_trial = store_->AddAttempt(kRun, 1, "local", 1).status();
  EXPECT_EQ(no_trial.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FormatError(no_trial), absl::StrCat("run '", kRun,
                                                "' has no trial 1\n  detail: its plan has 1 "
                                                "trials, counted from 0"));
}

TEST_P(StoreContract, ReturnsBlocksEqualAndInOrderOfRoleAndSequence) {
  OpenTrial(*store_);
  v1::SampleBlock delayed = MakeTestBlock(2, 300);
  for (int i = 0; i < 300; ++i) delayed.add_applied_ns(i % 2 == 0 ? 0 : 250'040);
  delayed.add_start_ns(-1);
  delayed.mutable_start_ns()->RemoveLast();
  delayed.set_value_ns(7, INT64_MAX);
  delayed.set_start_ns(7, INT64_MIN);
  const std::vector<v1::Chunk> chunks = {
      MakeTestChunk(kRun, "workload", 1, v1::CHUNK_KIND_SAMPLES, delayed, 300),
      MakeTestChunk(kRun, "workload", 0, v1::CHUNK_KIND_SAMPLES, MakeTestBlock(0, 1), 1),
      MakeTestChunk(kRun, "load", 0, v1::CHUNK_KIND_SAMPLES, MakeTestBlock(0, 10), 10),
      MakeTestChunk(kRun, "workload", 2, v1::CHUNK_KIND_SAMPLES, v1::SampleBlock(), 0)};
  AddChunks(*store_, chunks);
  const std::vector<VisitedBlock> blocks = ReadAll(*store_, kRun);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].role, "load");
  EXPECT_TRUE(MessageDifferencer::Equals(blocks[0].block, MakeTestBlock(0, 10)));
  EXPECT_EQ(blocks[1].role, "workload");
  EXPECT_TRUE(MessageDifferencer::Equals(blocks[1].block, MakeTestBlock(0, 1)));
  EXPECT_TRUE(MessageDifferencer::Equals(blocks[2].block, delayed));
  EXPECT_TRUE(MessageDifferencer::Equals(blocks[3].block, v1::SampleBlock()));
}

TEST_P(StoreContract, StopsReadingAtTheVisitorsErrorAndLetsItUseTheStore) {
  OpenTrial(*store_);
  AddChunks(*store_, MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED));
  int visits_count = 0;
  const absl::Status status =
      store_->ReadBlocks(kRun, 0, 1, [&](const std::string&, const v1::SampleBlock&) {
        ++visits_count;
        EXPECT_TRUE(store_->ListRuns().ok());
        return absl::CancelledError("enough");
      });
  EXPECT_EQ(status, absl::CancelledError("enough"));
  EXPECT_EQ(visits_count, 1);
}

TEST_P(StoreContract, TakesTheSameChunkAgainAndChangesNothing) {
  OpenTrial(*store_);
  std::vector<v1::Chunk> chunks = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED);
  AddChunks(*store_, chunks);
  for (v1::Chunk& chunk : chunks) chunk.set_incarnation(78);  // The agent was started again.
  AddChunks(*store_, chunks);
  EXPECT_EQ(ReadAll(*store_, kRun).size(), 2u);
  EXPECT_EQ(store_->ListRuns().value()[0].samples_count, 20);
}

TEST_P(StoreContract, RefusesAnotherContentUnderAKnownKey) {
  OpenTrial(*store_);
  v1::TrialRecord one;
  one.set_code("incomplete");
  v1::TrialRecord two;
  ASSERT_EQ(store_->AddChunk(MakeTestChunk(kRun, "", 0, v1::CHUNK_KIND_RECORD, one)),
            absl::OkStatus());
  const absl::Status status =
      store_->AddChunk(MakeTestChunk(kRun, "", 0, v1::CHUNK_KIND_RECORD, two));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(FormatError(status),
            absl::StrCat("run '", kRun,
                         "' trial 0 attempt 1 role '' chunk 0 came again with another content\n"
                         "  detail: crc32c is 00000000 (record), the store has ",
                         absl::Hex(Crc32c(one.SerializeAsString()), absl::kZeroPad8), " (record)"));
}

TEST_P(StoreContract, RefusesChunksThatAreNotWhatTheySay) {
  OpenTrial(*store_);
  const v1::Chunk good = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED)[0];
  struct Case {
    const char* name;
    std::function<void(v1::Chunk&)> spoil;
    absl::StatusCode code;
    const char* what;
  };
  const auto reseal = [](v1::Chunk& chunk, const std::string& payload) {
    chunk.set_payload(payload);
    chunk.set_crc32c(Crc32c(payload));
  };
  const Case cases[] = {
      {"bit flip", [](v1::Chunk& c) { (*c.mutable_payload())[9] ^= 1; },
       absl::StatusCode::kDataLoss, "was altered on its way"},
      {"too long", [&](v1::Chunk& c) { reseal(c, std::string(kChunkBytesMax + 1, 'x')); },
       absl::StatusCode::kInvalidArgument, "has 524289 bytes, the limit is 512 KiB"},
      {"garbage", [&](v1::Chunk& c) { reseal(c, "garbage"); }, absl::StatusCode::kInvalidArgument,
       "is not a sample block"},
      {"wrong count", [](v1::Chunk& c) { c.set_count(11); }, absl::StatusCode::kInvalidArgument,
       "column 'arm' has 10 values, the chunk has 11 samples"},
      {"negative", [](v1::Chunk& c) { c.set_sequence(-1); }, absl::StatusCode::kInvalidArgument,
       "has sequence -1 and count 10, neither may be negative"},
      {"no kind", [](v1::Chunk& c) { c.set_kind(v1::CHUNK_KIND_UNSPECIFIED); },
       absl::StatusCode::kInvalidArgument, "has kind 0, which this tare does not know"},
      {"record with samples",
       [&](v1::Chunk& c) {
         c.set_kind(v1::CHUNK_KIND_RECORD);
         reseal(c, "");
       },
       absl::StatusCode::kInvalidArgument, "says that it has 10 samples, but can have none"},
  };
  for (const Case& test : cases) {
    v1::Chunk chunk = good;
    test.spoil(chunk);
    const absl::Status status = store_->AddChunk(chunk);
    EXPECT_EQ(status.code(), test.code) << test.name;
    EXPECT_EQ(status.message(),
              absl::StrCat("run '", kRun, "' trial 0 attempt 1 role 'workload' chunk ",
                           chunk.sequence(), ": ", test.what))
        << test.name;
  }
  v1::Chunk stale = good;
  stale.mutable_key()->set_epoch(4);
  EXPECT_EQ(store_->AddChunk(stale).message(),
            absl::StrCat("run '", kRun,
                         "' trial 0 attempt 1 role 'workload' chunk 0 is of epoch 4, the attempt "
                         "was given in epoch 5"));
  EXPECT_TRUE(ReadAll(*store_, kRun).empty());
}

TEST_P(StoreContract, CountsACompletedAttemptWhenItsManifestMatches) {
  OpenTrial(*store_);
  const std::vector<v1::Chunk> chunks = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED);
  AddChunks(*store_, {chunks[0], chunks[1], chunks[2]});
  AttemptSummary attempt = store_->ListAttempts(kRun).value().at(0);
  EXPECT_FALSE(attempt.is_counted);
  EXPECT_TRUE(attempt.has_record);
  AddChunks(*store_, {chunks[3]});
  attempt = store_->ListAttempts(kRun).value().at(0);
  EXPECT_TRUE(attempt.is_counted);
  EXPECT_EQ(attempt.trial, 0);
  EXPECT_EQ(attempt.attempt, 1);
  EXPECT_EQ(attempt.agent, "local");
  EXPECT_EQ(attempt.epoch, 5);
  EXPECT_EQ(attempt.record.samples_count(), 20);
}

TEST_P(StoreContract, DoesNotCountAnAttemptThatFailed) {
  OpenTrial(*store_);
  AddChunks(*store_, MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_FAILED));
  const AttemptSummary attempt = store_->ListAttempts(kRun).value().at(0);
  EXPECT_FALSE(attempt.is_counted);
  EXPECT_EQ(attempt.record.outcome(), v1::TRIAL_OUTCOME_FAILED);
}

TEST_P(StoreContract, RefusesAManifestThatDoesNotMatchAndTakesItWhenItDoes) {
  OpenTrial(*store_);
  const std::vector<v1::Chunk> chunks = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED);
  AddChunks(*store_, {chunks[1], chunks[2]});
  const absl::Status status = store_->AddChunk(chunks[3]);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(FormatError(status),
            absl::StrCat("run '", kRun,
                         "' trial 0 attempt 1 is not complete: role 'workload' has 1 chunks with "
                         "10 samples\n  detail: its manifest says 2 chunks with 20 samples"));
  EXPECT_FALSE(store_->ListAttempts(kRun).value().at(0).is_counted);
  AddChunks(*store_, {chunks[0], chunks[3]});
  EXPECT_TRUE(store_->ListAttempts(kRun).value().at(0).is_counted);
}

TEST_P(StoreContract, RefusesAManifestWhenAChunkIsMissingInTheMiddle) {
  OpenTrial(*store_);
  const std::vector<v1::Chunk> chunks = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED);
  v1::Chunk third = chunks[1];
  third.set_sequence(2);
  AddChunks(*store_, {chunks[0], third, chunks[2]});
  EXPECT_EQ(store_->AddChunk(chunks[3]).code(), absl::StatusCode::kDataLoss)
      << "as many chunks and samples as promised, but not those";
}

TEST_P(StoreContract, RefusesAManifestThatDoesNotKnowAllRoles) {
  OpenTrial(*store_);
  const std::vector<v1::Chunk> chunks = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED);
  AddChunks(*store_, {chunks[0], chunks[1], chunks[2]});
  AddChunks(*store_,
            {MakeTestChunk(kRun, "load", 0, v1::CHUNK_KIND_SAMPLES, MakeTestBlock(0, 1), 1)});
  EXPECT_EQ(FormatError(store_->AddChunk(chunks[3])),
            absl::StrCat("run '", kRun,
                         "' trial 0 attempt 1 is not complete: role 'load' has 1 chunks with 1 "
                         "samples\n  detail: its manifest says nothing of it"));
}

TEST_P(StoreContract, RefusesACompletedRecordThatPromisesOtherSamples) {
  OpenTrial(*store_);
  std::vector<v1::Chunk> chunks = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED);
  v1::TrialRecord record;
  record.set_outcome(v1::TRIAL_OUTCOME_COMPLETED);
  record.set_samples_count(21);
  chunks[2] = MakeTestChunk(kRun, "", 0, v1::CHUNK_KIND_RECORD, record);
  AddChunks(*store_, {chunks[0], chunks[1], chunks[2]});
  EXPECT_EQ(FormatError(store_->AddChunk(chunks[3])),
            absl::StrCat("run '", kRun,
                         "' trial 0 attempt 1 is not complete: 20 samples came\n"
                         "  detail: its record says 21"));
}

TEST_P(StoreContract, TakesNothingNewAfterTheManifestAndOneRecordOnly) {
  OpenTrial(*store_);
  const std::vector<v1::Chunk> chunks = MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED);
  AddChunks(*store_, {chunks[0], chunks[1], chunks[2]});
  EXPECT_EQ(store_->AddChunk(MakeTestChunk(kRun, "", 7, v1::CHUNK_KIND_RECORD, v1::TrialRecord()))
                .message(),
            absl::StrCat("run '", kRun,
                         "' trial 0 attempt 1 role '' chunk 7 came after the attempt's record"));
  AddChunks(*store_, {chunks[3]});
  const absl::Status status = store_->AddChunk(
      MakeTestChunk(kRun, "workload", 2, v1::CHUNK_KIND_SAMPLES, MakeTestBlock(2, 1), 1));
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), absl::StrCat("run '", kRun,
                                           "' trial 0 attempt 1 role 'workload' chunk 2 came after "
                                           "the attempt's manifest"));
}

TEST_P(StoreContract, LetsOneAttemptOfATrialCount) {
  OpenTrial(*store_);
  AddChunks(*store_, MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED));
  ASSERT_EQ(store_->AddAttempt(kRun, 0, "other", 6).value(), 2);
  for (v1::Chunk& chunk : MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED)) {
    chunk.mutable_key()->set_attempt(2);
    chunk.mutable_key()->set_epoch(6);
    ASSERT_EQ(store_->AddChunk(chunk), absl::OkStatus());
  }
  const std::vector<AttemptSummary> attempts = store_->ListAttempts(kRun).value();
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_TRUE(attempts[0].is_counted);
  EXPECT_FALSE(attempts[1].is_counted);
  EXPECT_TRUE(attempts[1].has_record);
}

TEST_P(StoreContract, KeepsTheCoordinatorsRecordUntilTheAgentDelivers) {
  OpenTrial(*store_);
  EXPECT_FALSE(store_->ListAttempts(kRun).value().at(0).has_record);
  v1::TrialRecord lost;
  lost.set_outcome(v1::TRIAL_OUTCOME_LOST);
  ASSERT_EQ(store_->CloseAttempt(kRun, 0, 1, lost), absl::OkStatus());
  ASSERT_EQ(store_->CloseAttempt(kRun, 0, 1, v1::TrialRecord()), absl::OkStatus());
  AttemptSummary attempt = store_->ListAttempts(kRun).value().at(0);
  EXPECT_TRUE(attempt.has_record);
  EXPECT_EQ(attempt.record.outcome(), v1::TRIAL_OUTCOME_LOST);

  AddChunks(*store_, MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED));
  attempt = store_->ListAttempts(kRun).value().at(0);
  EXPECT_TRUE(attempt.is_counted);
  EXPECT_EQ(attempt.record.outcome(), v1::TRIAL_OUTCOME_COMPLETED);
}

TEST_P(StoreContract, ServesManyThreads) {
  OpenTrial(*store_);
  constexpr int kThreads = 4;
  constexpr int kChunks = 10;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < kChunks; ++i) {
        EXPECT_EQ(store_->AddChunk(MakeTestChunk(kRun, absl::StrCat("role-", thread), i,
                                                 v1::CHUNK_KIND_SAMPLES, MakeTestBlock(i, 5), 5)),
                  absl::OkStatus());
        EXPECT_TRUE(store_->ListRuns().ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ReadAll(*store_, kRun).size(), size_t{kThreads * kChunks});
}

TEST_P(StoreContract, CanBeReadByAnotherProcessWhileARunIsMeasured) {
  OpenTrial(*store_);
  const std::unique_ptr<Store> reader = home_->Open().value();
  for (const v1::Chunk& chunk : MakeTestAttempt(kRun, v1::TRIAL_OUTCOME_COMPLETED)) {
    ASSERT_EQ(store_->AddChunk(chunk), absl::OkStatus());
    EXPECT_EQ(reader->ListRuns().value().size(), 1u);
  }
  EXPECT_EQ(reader->ListRuns().value()[0].trials_counted, 1);
}

// A child adds chunks and reports each acknowledgement; it is killed after `kAcknowledged` of them,
// at whatever it then does. All that it reported must be there.
TEST_P(StoreContract, HasAllThatWasAcknowledgedAfterKill9) {
  OpenTrial(*store_);
  store_.reset();
  constexpr int kAcknowledged = 23;
  int acknowledgements[2];
  ASSERT_EQ(pipe(acknowledgements), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::unique_ptr<Store> store = home_->Open().value();
    for (int32_t i = 0;; ++i) {
      const absl::Status status = store->AddChunk(
          MakeTestChunk(kRun, "workload", i, v1::CHUNK_KIND_SAMPLES, MakeTestBlock(i, 200), 200));
      if (!status.ok() || write(acknowledgements[1], "+", 1) != 1) _exit(1);
    }
  }
  close(acknowledgements[1]);
  char byte = 0;
  for (int i = 0; i < kAcknowledged; ++i) ASSERT_EQ(read(acknowledgements[0], &byte, 1), 1);
  kill(child, SIGKILL);
  int exit_status = 0;
  ASSERT_EQ(waitpid(child, &exit_status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(exit_status));
  size_t acknowledged_count = kAcknowledged;
  while (read(acknowledgements[0], &byte, 1) == 1) ++acknowledged_count;
  close(acknowledgements[0]);

  store_ = home_->Open().value();
  const std::vector<VisitedBlock> blocks = ReadAll(*store_, kRun);
  ASSERT_GE(blocks.size(), acknowledged_count);
  EXPECT_LE(blocks.size(), acknowledged_count + 1) << "one may be committed and not yet reported";
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(
        MessageDifferencer::Equals(blocks[i].block, MakeTestBlock(static_cast<int32_t>(i), 200)));
  }
}

}  // namespace tare::coordinator
