// oneTBB's concurrent_hash_map: chains of nodes, a lock a bucket and a lock a node. Its number of buckets is a power of two, and grows.
#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/version.h>

#include "concurrent.hpp"

namespace {

class Map {
 public:
  explicit Map(const hashbench::Making& making) : buckets(making.slots()), table(buckets) {}

  bool insert(std::uint32_t key, std::uint32_t value) { return table.insert(std::make_pair(key, value)); }
  void assign(std::uint32_t key, std::uint32_t value) {
    Table::accessor found;
    table.insert(found, key);
    found->second = value;
  }
  std::uint32_t find(std::uint32_t key) const {
    Table::const_accessor found;
    return table.find(found, key) ? found->second : hashbench::EMPTY;
  }
  bool erase(std::uint32_t key) { return table.erase(key); }
  void clear() {
    table.clear();
    table.rehash(buckets);
  }
  std::size_t slots() const { return table.bucket_count(); }
  /// A bucket has a lock and a pointer; a node has both and a pair.
  std::size_t bytes() const { return table.bucket_count() * 16 + table.size() * 24; }

 private:
  using Table = oneapi::tbb::concurrent_hash_map<std::uint32_t, std::uint32_t>;
  const std::size_t buckets;
  Table table;
};

}  // namespace

int main() { return hashbench::serveOnCpu<Map>(std::string("oneTBB ") + TBB_runtime_version()); }
