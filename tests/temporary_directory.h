// A directory of one test, removed with it. In memory where the machine offers that: on a busy disk
// the fsyncs of these tests would be most of their time.

#ifndef TARE_TESTS_TEMPORARY_DIRECTORY_H_
#define TARE_TESTS_TEMPORARY_DIRECTORY_H_

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace tare {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const std::filesystem::path memory = "/dev/shm";
    const bool has_memory = access(memory.c_str(), W_OK) == 0;
    std::string name =
        (has_memory ? memory : std::filesystem::temp_directory_path()) / "tare-test-XXXXXX";
    path_ = mkdtemp(name.data());
    chmod(path_.c_str(), 0755);
  }
  ~TemporaryDirectory() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  // Of `name` in the directory; of the directory itself, ending in '/', when empty.
  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace tare

#endif  // TARE_TESTS_TEMPORARY_DIRECTORY_H_
