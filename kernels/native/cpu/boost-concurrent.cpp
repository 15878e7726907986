// boost::concurrent_flat_map: open addressing by groups of 15 slots, whose bytes of hash are compared at once; a lock a group. Its
// number of slots grows.
#include <boost/unordered/concurrent_flat_map.hpp>
#include <boost/version.hpp>

#include "concurrent.hpp"

namespace {

class Map {
 public:
  explicit Map(const hashbench::Making& making) : table(making.slots()) {}

  bool insert(std::uint32_t key, std::uint32_t value) { return table.emplace(key, value); }
  void assign(std::uint32_t key, std::uint32_t value) { table.insert_or_assign(key, value); }
  std::uint32_t find(std::uint32_t key) const {
    std::uint32_t value = hashbench::EMPTY;
    table.cvisit(key, [&](const auto& pair) { value = pair.second; });
    return value;
  }
  bool erase(std::uint32_t key) { return table.erase(key) > 0; }
  void clear() { table.clear(); }
  std::size_t slots() const { return table.bucket_count(); }
  /// A group has, beside its pairs, 16 bytes of hashes, a lock and a counter.
  std::size_t bytes() const { return table.bucket_count() * 8 + table.bucket_count() / 15 * 24; }

 private:
  boost::concurrent_flat_map<std::uint32_t, std::uint32_t> table;
};

}  // namespace

int main() {
  return hashbench::serveOnCpu<Map>("Boost " + std::to_string(BOOST_VERSION / 100000) + "." +
                                    std::to_string(BOOST_VERSION / 100 % 1000) + "." +
                                    std::to_string(BOOST_VERSION % 100));
}
