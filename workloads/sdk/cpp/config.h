// The settings of one arm, as a workload reads them.
//
// Reading a setting resolves it: the value that was given, or the default, is what `ready` echoes
// to the agent, which compares it with what the experiment asked. So read every setting here, and
// use what came back. Settings that were given but never read are an error that the SDK reports.
//
// Not thread-safe. The first thing that is wrong is kept in error(); reading goes on with the
// default, so that a workload can read all of its settings and look at the error once.

#ifndef TARE_WORKLOADS_SDK_CPP_CONFIG_H_
#define TARE_WORKLOADS_SDK_CPP_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "workloads/sdk/cpp/error.h"

namespace tare::sdk {

using ConfigValue = std::variant<std::string, int64_t, double, bool, std::vector<std::string>>;
using ConfigEntries = std::vector<std::pair<std::string, ConfigValue>>;

class Config {
 public:
  // `arm` is named in errors.
  Config(std::string arm, ConfigEntries given) : arm_(std::move(arm)), given_(std::move(given)) {}

  // True when the experiment gave `name`.
  bool Has(const std::string& name) const { return Find(name) != nullptr; }

  // Each returns the value given for `name`, or `otherwise` when none was.
  // An integer must be in [minimum, maximum]. A real may be given as an integer.
  int64_t Integer(const std::string& name, int64_t otherwise, int64_t minimum, int64_t maximum);
  double Real(const std::string& name, double otherwise);
  bool Flag(const std::string& name, bool otherwise);
  std::string Text(const std::string& name, const std::string& otherwise);

  // One of `choices`, of which the first is the default.
  std::string Choice(const std::string& name, const std::vector<std::string>& choices);

  // A list of texts, or one text; empty and unresolved when none was given.
  std::variant<std::string, std::vector<std::string>> TextOrList(const std::string& name);

  // The first wrong value or, once all is read, the first setting that nobody read.
  std::optional<Error> error() const { return error_; }
  std::optional<Error> FirstUnread() const;

  // What was read, in the order of reading.
  const ConfigEntries& resolved() const { return resolved_; }

 private:
  const ConfigValue* Find(const std::string& name) const;
  void Resolve(const std::string& name, ConfigValue value);
  void Complain(const std::string& name, const std::string& expected);

  std::string arm_;
  ConfigEntries given_;
  ConfigEntries resolved_;
  std::optional<Error> error_;
};

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_CONFIG_H_
