// The workload tare-preview: what does a live preview cost?
//
// A person drags a slider and sees the projection that would follow. Arm `copy` overrides the
// fields in a copy of the map in memory; arm `rollback` updates the rows in a transaction, reads
// them all back, projects, and rolls back, in the first service that the arm uses. Both give the
// same result: every operation is compared with the first one of its drag, and the checksum is the
// digest of all drags. Four steps: update (of `copy`: copying and overriding), read_back, compute,
// rollback.
//
// Not thread-safe.

#ifndef TARE_WORKLOADS_PREVIEW_PREVIEW_H_
#define TARE_WORKLOADS_PREVIEW_PREVIEW_H_

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workloads/preview/field_store.h"
#include "workloads/preview/model.h"
#include "workloads/sdk/cpp/workload.h"

namespace tare::preview {

class Preview : public sdk::Workload {
 public:
  sdk::About about() const override;

  // Fills the tables and runs every drag once in every arm.
  std::optional<sdk::Error> Setup(sdk::TrialSetup& setup) override;
  std::optional<sdk::Error> Run(const sdk::Operation& operation, sdk::Steps& steps) override;

  // Also verifies that the tables are as they were filled.
  std::optional<sdk::Error> Collect(std::vector<sdk::Evidence>& evidence) override;

 private:
  struct PreviewArm {
    std::string name;
    FieldStore* store = nullptr;  // none: strategy copy
    std::array<uint64_t, kDrags> results{};
    int64_t records = 0;
    int64_t client_writes = 0;
    int64_t rows = 0;
  };

  std::optional<sdk::Error> AddArm(sdk::Arm& arm, const std::vector<sdk::ServiceAddress>& services,
                                   uint64_t seed);
  // The store of these settings in `service`, which may be null for sqlite. Arms with the same
  // settings and service share one; others share no table, also where two services lead to one
  // database.
  std::optional<sdk::Error> FindStore(const std::string& backend, const std::string& path,
                                      const sdk::ServiceAddress* service, FieldStore** store);
  // Both do one preview and set `result` to its digest and fields_ to what was projected.
  void PreviewInCopy(const Drag& drag, sdk::Steps& steps, uint64_t& result);
  std::optional<sdk::Error> PreviewInStore(FieldStore& store, const Drag& drag, sdk::Steps& steps,
                                           uint64_t& result);

  int months_ = 0;
  int plans_ = 0;
  std::unique_ptr<Model> model_;
  std::map<std::string, std::unique_ptr<FieldStore>> stores_;
  std::vector<PreviewArm> arms_;
  FieldMap fields_;
};

}  // namespace tare::preview

#endif  // TARE_WORKLOADS_PREVIEW_PREVIEW_H_
