#ifndef TARE_PROXY_POSTGRES_OBSERVER_H_
#define TARE_PROXY_POSTGRES_OBSERVER_H_
#include "absl/strings/string_view.h"
#include "tare/v1/proxy.pb.h"
namespace tare::proxy {
class PostgresObserver {
 public:
  void FromClient(absl::string_view, int64_t) {}
  void FromServer(absl::string_view, int64_t) {}
  bool is_postgres() const { return false; }
  int64_t round_trips() const { return 0; }
  v1::PostgresTraffic Snapshot() const { return {}; }
};
}  // namespace tare::proxy
#endif
