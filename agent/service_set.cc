#include "agent/service_set.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::agent {
namespace {

// Two trials with the same lease share one instance.
std::string LeaseOf(const std::string& run, const v1::TrialSpec& spec, const v1::Service& service) {
  switch (service.postgres().lifetime()) {
    case v1::LIFETIME_TRIAL:
      return absl::StrCat(run, "/trial ", spec.trial().trial());
    case v1::LIFETIME_ROUND:
      return absl::StrCat(run, "/round ", spec.trial().round());
    default:
      return run;
  }
}

}  // namespace

absl::Status ServiceSet::Ensure(const std::string& run, const v1::TrialSpec& spec,
                                const std::vector<int>& cpus) {
  names_.clear();
  std::map<std::string, std::string> addresses;
  for (const v1::Service& service : spec.services()) {
    names_.push_back(service.name());
    const std::string lease = LeaseOf(run, spec, service);
    Running& running = running_[service.name()];
    if (running.service && running.lease == lease && service.has_postgres() &&
        running.service->CheckRunning().ok()) {
      addresses[service.name()] = running.service->address();
      continue;
    }
    running.service.reset();  // its successor may need the memory and the port
    ServiceOptions options;
    options.directory = directory_;
    options.cpus = cpus;
    options.seed = spec.trial().seed();
    options.addresses = addresses;
    if (service.has_proxy()) options.behind = Find(service.proxy().to());
    absl::StatusOr<std::unique_ptr<Service>> started = StartService(service, options);
    if (!started.ok()) {
      running_.erase(service.name());
      return started.status();
    }
    running.service = *std::move(started);
    running.lease = lease;
    addresses[service.name()] = running.service->address();
  }
  std::erase_if(running_, [this](const auto& entry) {
    return std::find(names_.begin(), names_.end(), entry.first) == names_.end();
  });
  return absl::OkStatus();
}

std::vector<v1::Process> ServiceSet::FinishServers() {
  std::vector<v1::Process> processes;
  for (const std::string& name : names_) {
    Service* service = Find(name);
    if (service == nullptr) continue;  // the one that Ensure() could not start
    std::optional<v1::Process> process = service->Finish();
    if (!process.has_value()) continue;
    processes.push_back(*std::move(process));
    running_.erase(name);
  }
  std::erase_if(names_, [this](const std::string& name) { return Find(name) == nullptr; });
  return processes;
}

Service* ServiceSet::Find(const std::string& name) {
  auto found = running_.find(name);
  return found == running_.end() ? nullptr : found->second.service.get();
}

absl::Status ServiceSet::CheckRunning() {
  for (const std::string& name : names_) RETURN_IF_ERROR(Find(name)->CheckRunning());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<v1::ServiceRecord>> ServiceSet::Describe() {
  std::vector<v1::ServiceRecord> records;
  for (const std::string& name : names_) {
    ASSIGN_OR_RETURN(v1::ServiceRecord record, Find(name)->Describe());
    record.set_name(name);
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<std::string> ServiceSet::secrets() const {
  std::vector<std::string> secrets;
  for (const auto& [name, running] : running_) {
    for (std::string& secret : running.service->secrets()) secrets.push_back(std::move(secret));
  }
  return secrets;
}

void ServiceSet::StopAll() {
  running_.clear();
  names_.clear();
}

}  // namespace tare::agent
