// libcuckoo (Li et al., Algorithmic Improvements for Fast Concurrent Cuckoo Hashing, EuroSys 2014): buckets of four, two of them a
// key, a lock a bucket. Its number of buckets is a power of two, and grows.
#include <libcuckoo/cuckoohash_map.hh>

#include "concurrent.hpp"

namespace {

class Map {
 public:
  explicit Map(const hashbench::Making& making) : table(making.slots()) {}

  bool insert(std::uint32_t key, std::uint32_t value) { return table.insert(key, value); }
  void assign(std::uint32_t key, std::uint32_t value) { table.insert_or_assign(key, value); }
  std::uint32_t find(std::uint32_t key) const {
    std::uint32_t value = hashbench::EMPTY;
    table.find(key, value);
    return value;
  }
  bool erase(std::uint32_t key) { return table.erase(key); }
  void clear() { table.clear(); }
  std::size_t slots() const { return table.capacity(); }
  /// A bucket has, beside its pairs, a byte of each hash and a flag whether the slot is taken.
  std::size_t bytes() const { return table.bucket_count() * (Table::slot_per_bucket() * (8 + 2)); }

 private:
  using Table = libcuckoo::cuckoohash_map<std::uint32_t, std::uint32_t>;
  Table table;
};

}  // namespace

int main() { return hashbench::serveOnCpu<Map>("libcuckoo " LIBRARY_VERSION); }
