// WarpCore's SingleValueHashTable (Jünger et al., WarpCore, HiPC 2020): a group of lanes probes as many slots at once. It writes
// nothing for an absent key.
#include <warpcore/single_value_hash_table.cuh>

#include "device.hpp"

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"
#endif

namespace {

using namespace hashbench;
using cuda_device::timed;
using Key = std::uint32_t;

template <class Probing>
class SingleValue : public Table {
 public:
  explicit SingleValue(const Making& making) : table(std::max(making.slots(), making.n + 1), making.seed) {
    if (!table.is_initialized()) throw std::bad_alloc();
  }

  std::size_t slots() const override { return table.capacity(); }
  std::size_t bytes() const override { return table.bytes_total(); }
  void clear() override {
    table.init();
    cuda_device::check(cudaDeviceSynchronize());
  }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    return {timed([&] { table.insert(keys, values, n); })};
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    cuda_device::check(cudaMemset(answers, 0xFF, n * sizeof(*answers)));
    return {timed([&] { table.retrieve(keys, n, answers); })};
  }
  Done erase(ConstWords keys, std::size_t n) override {
    const std::size_t erased = cuda_device::present(*this, keys, n);
    return {timed([&] { table.erase(keys, n); }), erased};
  }

 private:
  warpcore::SingleValueHashTable<Key, Key, EMPTY, DELETED, Probing> table;
};

template <template <class, class, warpcore::index_t> class Probing>
std::unique_ptr<Table> withGroup(const Making& making) {
  using Hash = warpcore::defaults::hasher_t<Key>;
  const double group = making.params.number("group");
  if (group == 2) return std::make_unique<SingleValue<Probing<Hash, Hash, 2>>>(making);
  if (group == 4) return std::make_unique<SingleValue<Probing<Hash, Hash, 4>>>(making);
  return std::make_unique<SingleValue<Probing<Hash, Hash, 8>>>(making);
}

template <class Hash, class, warpcore::index_t Group>
using Linear = warpcore::probing_schemes::LinearProbing<Hash, Group>;

std::unique_ptr<Table> create(const Making& making) {
  if (making.params.text("probing") == "linear") return withGroup<Linear>(making);
  return withGroup<warpcore::probing_schemes::DoubleHashing>(making);
}

}  // namespace

int main() { return cuda_device::serve("WarpCore " LIBRARY_VERSION, create); }
