#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "coordinator/cli/commands.h"

namespace tare::coordinator {
namespace {

std::string DefaultStore() {
  if (const char* store = getenv("TARE_STORE")) return store;
  std::filesystem::path directory;
  const char* data = getenv("XDG_DATA_HOME");
  const char* home = getenv("HOME");
  if (data != nullptr && *data != '\0') {
    directory = data;
  } else if (home != nullptr && *home != '\0') {
    directory = std::filesystem::path(home) / ".local/share";
  } else {
    return "tare.db";
  }
  directory /= "tare";
  std::error_code ignored;  // opening the store says what is wrong
  std::filesystem::create_directories(directory, ignored);
  return directory / "results.db";
}

}  // namespace

void AddStoreOption(CLI::App& command, std::string* store) {
  *store = DefaultStore();
  command.add_option("--store", *store, "the results store (or set TARE_STORE)")
      ->capture_default_str();
}

}  // namespace tare::coordinator
