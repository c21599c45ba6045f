#include "workloads/preview/preview.h"

#include <cstdio>

#include "workloads/preview/postgres_store.h"
#include "workloads/preview/sqlite_store.h"

namespace tare::preview {
namespace {

enum Step { kUpdate, kReadBack, kCompute, kRollback, kSteps };

constexpr int kMonthsMax = 1'200;
constexpr int kPlansMax = 10'000;

// The first service that the arm is to use; null when it has none.
const sdk::ServiceAddress* ServiceOf(const sdk::Arm& arm,
                                     const std::vector<sdk::ServiceAddress>& services) {
  if (arm.uses.empty()) return services.empty() ? nullptr : &services.front();
  for (const sdk::ServiceAddress& service : services) {
    if (service.name == arm.uses.front()) return &service;
  }
  return nullptr;
}

}  // namespace

sdk::About Preview::about() const {
  return {"tare-preview", "previews what dragging a slider would do to a business, month by month",
          "  strategy     copy (default) or rollback\n"
          "  backend      postgres (default; the first service of the arm) or sqlite\n"
          "  months       of the projection; default 60; the same in all arms\n"
          "  plans        of the business; default 40; the same in all arms\n"
          "  sqlite_path  file of the sqlite database; default: in memory\n"};
}

std::optional<sdk::Error> Preview::Setup(sdk::TrialSetup& setup) {
  setup.steps = {"update", "read_back", "compute", "rollback"};
  for (sdk::Arm& arm : setup.arms) {
    if (auto error = AddArm(arm, setup.services, setup.seed)) return error;
  }
  std::array<int64_t, kSteps> row{};
  sdk::Steps steps(row.data());
  for (size_t arm = 0; arm < arms_.size(); ++arm) {
    for (int drag = 0; drag < kDrags; ++drag) {
      if (auto error = Run({static_cast<int>(arm), drag, false}, steps)) return error;
    }
  }
  return std::nullopt;
}

std::optional<sdk::Error> Preview::AddArm(sdk::Arm& arm,
                                          const std::vector<sdk::ServiceAddress>& services,
                                          uint64_t seed) {
  sdk::Config& config = arm.config;
  const std::string strategy = config.Choice("strategy", {"copy", "rollback"});
  const std::string backend = config.Choice("backend", {"postgres", "sqlite"});
  const int months = static_cast<int>(config.Integer("months", 60, 1, kMonthsMax));
  const int plans = static_cast<int>(config.Integer("plans", 40, 1, kPlansMax));
  const std::string path = config.Text("sqlite_path", "");
  if (config.error().has_value()) return config.error();
  if (model_ == nullptr) {
    months_ = months;
    plans_ = plans;
    model_ = std::make_unique<Model>(months, plans, seed);
  }
  if (months != months_ || plans != plans_) {
    return sdk::Error{"arm '" + arm.name + "': 'months' and 'plans' must be those of arm '" +
                          arms_.front().name + "'",
                      "they are " + std::to_string(months) + " and " + std::to_string(plans) +
                          ", there " + std::to_string(months_) + " and " + std::to_string(plans_),
                      ""};
  }
  PreviewArm added;
  added.name = arm.name;
  if (strategy == "rollback") {
    if (auto error = FindStore(backend, path, ServiceOf(arm, services), &added.store)) {
      error->message = "arm '" + arm.name + "': " + error->message;
      return error;
    }
  }
  arms_.push_back(std::move(added));
  return std::nullopt;
}

std::optional<sdk::Error> Preview::FindStore(const std::string& backend, const std::string& path,
                                             const sdk::ServiceAddress* service,
                                             FieldStore** store) {
  const bool is_sqlite = backend == "sqlite";
  if (!is_sqlite && service == nullptr) {
    return sdk::Error{"backend 'postgres' needs a postgres service",
                      "the arm was given none; name one under 'uses'", ""};
  }
  std::unique_ptr<FieldStore>& found =
      stores_[backend + " '" + (is_sqlite ? path : service->name) + "'"];
  if (found == nullptr) {
    const std::string count = std::to_string(stores_.size());
    found = is_sqlite ? MakeSqliteStore(path)
                      : MakePostgresStore(service->address, "tare_preview_" + count);
    if (auto error = found->Fill(model_->initial())) return error;
  }
  *store = found.get();
  return std::nullopt;
}

std::optional<sdk::Error> Preview::Run(const sdk::Operation& operation, sdk::Steps& steps) {
  PreviewArm& arm = arms_[static_cast<size_t>(operation.arm)];
  const size_t drag = static_cast<size_t>(operation.input) % kDrags;
  const int64_t writes_before = arm.store == nullptr ? 0 : arm.store->client_writes();
  uint64_t result = 0;
  if (arm.store == nullptr) {
    PreviewInCopy(model_->drags()[drag], steps, result);
  } else if (auto error = PreviewInStore(*arm.store, model_->drags()[drag], steps, result)) {
    return error;
  }
  uint64_t& first = arm.results[drag];
  if (first == 0) first = result;
  if (first != result) {
    return sdk::Error{"arm '" + arm.name + "': the preview of one input gave two results",
                      "input " + std::to_string(operation.input), "different-work"};
  }
  if (operation.is_counted) {
    const int64_t fields_count = static_cast<int64_t>(fields_.size());
    arm.records += fields_count;
    if (arm.store != nullptr) {
      arm.rows += fields_count;
      arm.client_writes += arm.store->client_writes() - writes_before;
    }
  }
  return std::nullopt;
}

void Preview::PreviewInCopy(const Drag& drag, sdk::Steps& steps, uint64_t& result) {
  fields_ = model_->initial();
  for (const auto& [name, value] : drag) fields_[name] = value;
  steps.Lap(kUpdate);
  steps.Middle();
  result = model_->Project(fields_);
  steps.Lap(kCompute);
}

std::optional<sdk::Error> Preview::PreviewInStore(FieldStore& store, const Drag& drag,
                                                  sdk::Steps& steps, uint64_t& result) {
  if (auto error = store.Update(drag)) return error;
  steps.Lap(kUpdate);
  steps.Middle();
  if (auto error = store.ReadBack(fields_)) return error;
  steps.Lap(kReadBack);
  if (fields_.size() != model_->initial().size()) {
    return sdk::Error{"table 'model_field' has " + std::to_string(fields_.size()) + " rows",
                      "expected " + std::to_string(model_->initial().size()), "different-work"};
  }
  result = model_->Project(fields_);
  steps.Lap(kCompute);
  if (auto error = store.Rollback()) return error;
  steps.Lap(kRollback);
  return std::nullopt;
}

std::optional<sdk::Error> Preview::Collect(std::vector<sdk::Evidence>& evidence) {
  for (auto& [name, store] : stores_) {
    if (auto error = store->ReadBack(fields_)) return error;
    if (fields_ != model_->initial()) {
      return sdk::Error{"table 'model_field' in " + name + " is not what it was before the trial",
                        "a preview must leave it unchanged", "different-work"};
    }
  }
  for (size_t i = 0; i < arms_.size(); ++i) {
    const PreviewArm& arm = arms_[i];
    uint64_t digest = 0;
    for (const uint64_t result : arm.results) digest = (digest ^ result) * 0x100000001b3;
    char checksum[17];
    std::snprintf(checksum, sizeof checksum, "%016llx", static_cast<unsigned long long>(digest));
    evidence[i].checksum = checksum;
    evidence[i].records = arm.records;
    evidence[i].counters = {{"client_writes", arm.client_writes}, {"rows", arm.rows}};
  }
  return std::nullopt;
}

}  // namespace tare::preview
