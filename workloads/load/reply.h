// One HTTP/1.1 reply, parsed as its bytes arrive.
//
// Bodies are read to their end and not kept, unless a place for them is given. Interim replies
// (1xx) are passed over. Not thread-safe; parses without allocating.

#ifndef TARE_WORKLOADS_LOAD_REPLY_H_
#define TARE_WORKLOADS_LOAD_REPLY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tare::load {

class Reply {
 public:
  static constexpr uint32_t kHeadBytesMax = 8'192;
  static constexpr uint64_t kBodyBytesMax = uint64_t{64} << 20;

  // Appends the body to `body`, if there is one.
  explicit Reply(std::string* body = nullptr);
  ~Reply();

  // Forgets the last reply. That to HEAD has a length but no body.
  void Start(bool is_to_head);

  enum class State { kPartial, kComplete, kBroken };

  // Parses a part of the stream; `used` says how much of it, and the rest must come again, with
  // more after it.
  State Put(const char* bytes, size_t size, size_t* used);
  // The stream ended. A reply without a length is complete then.
  State PutEnd();

  // Of a complete reply.
  int status() const;
  bool is_keep_alive() const;

  // Why it is broken; lives as long as the process.
  const char* what() const { return what_; }

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  bool is_to_head_ = false;
  const char* what_ = "";
};

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_REPLY_H_
