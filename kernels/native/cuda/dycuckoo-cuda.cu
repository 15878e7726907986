// DyCuckoo (Li et al., DyCuckoo: Dynamic Hash Tables on GPUs, ICDE 2021), its version for pairs of 64 bits: four sub-tables with buckets
// of 16 slots, two sub-tables a key. It writes nothing for an absent key, and key 0 is its empty slot: keys are inverted.
#include <core/dynamic_cuckoo.cuh>

#include "device.hpp"

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"
#endif

namespace {

using hashbench::ConstWords;
using hashbench::Done;
using hashbench::EMPTY;
using hashbench::Making;
using hashbench::Words;
using hashbench::cuda_device::check;
using hashbench::cuda_device::timed;

struct Inverted {
  __host__ __device__ std::uint32_t operator()(std::uint32_t key) const { return ~key; }
};

template <unsigned Blocks>
class Dynamic : public hashbench::Table {
 public:
  explicit Dynamic(const Making& making)
      : slotsWanted((making.slots() + SUBTABLES - 1) / SUBTABLES * SUBTABLES), resizes(making.params.flag("dynamic")) {
    // The library's own pool has 4 GiB at least.
    hashbench::cuda_device::requireFree(std::max(std::size_t{5} << 30, making.slots() * 10));
    clear();
  }

  std::size_t slots() const override { return std::size_t{table->all_table_capacity} * table->bucket_size; }
  std::size_t bytes() const override { return slots() * 8; }
  void clear() override {
    table.reset();
    table = std::make_unique<Cuckoo>(static_cast<std::uint32_t>(slotsWanted), 0, resizes ? LOWER : 0, resizes ? UPPER : 1);
    check(cudaDeviceSynchronize());
  }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    const Words own = inverted(keys, n);
    const std::uint64_t after = table->all_kv_num + n;
    Done done{timed([&] {
      if (resizes) table->test_resize(after);
      DynamicHash::cuckoo_insert<<<Blocks, THREADS>>>(own, const_cast<Words>(values), static_cast<std::uint32_t>(n));
    })};
    done.count = refused();
    table->all_kv_num = after - done.count;
    return done;
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    const Words own = inverted(keys, n);
    check(cudaMemset(answers, 0xFF, n * sizeof(*answers)));
    const double ns =
        timed([&] { DynamicHash::cuckoo_search<<<Blocks, THREADS>>>(own, answers, static_cast<std::uint32_t>(n)); });
    hashbench::cuda_device::hideReservedKeys(keys, answers, n);
    return {ns};
  }
  Done erase(ConstWords keys, std::size_t n) override {
    const std::size_t erased = hashbench::cuda_device::present(*this, keys, n);
    const Words own = inverted(keys, n);
    table->all_kv_num -= erased;
    const double ns = timed([&] {
      DynamicHash::cuckoo_delete<<<Blocks, THREADS>>>(own, nullptr, static_cast<std::uint32_t>(n));
      if (resizes) table->test_resize(table->all_kv_num);
    });
    return {ns, erased};
  }

 private:
  static constexpr unsigned THREADS = 512;
  /// Slots of one bucket in each sub-table: the library rounds down to them.
  static constexpr std::size_t SUBTABLES = DataLayout<>::bucket_size * DataLayout<>::table_num;
  /// The paper's bounds of the filled factor.
  static constexpr double LOWER = 0.3, UPPER = 0.85;
  using Cuckoo = DynamicCuckoo<THREADS, Blocks>;

  Words inverted(ConstWords keys, std::size_t n) {
    copies.resize(n);
    thrust::transform(thrust::device, keys, keys + n, copies.begin(), Inverted());
    return copies.data().get();
  }

  /// Pairs that found no slot since it was asked last; the library keeps them in a list.
  std::size_t refused() {
    auto& errors = *table->host_error_table;
    check(cudaMemcpyFromSymbol(&errors, error_table, sizeof(errors)));
    const std::size_t count = errors.error_pt;
    if (count > 0) {
      errors.error_pt = 0;
      DynamicHash::meta_data_to_device(errors);
    }
    return count;
  }

  const std::size_t slotsWanted;
  const bool resizes;
  thrust::device_vector<std::uint32_t> copies;
  std::unique_ptr<Cuckoo> table;
};

std::unique_ptr<hashbench::Table> create(const Making& making) {
  if (making.params.number("blocks") == 512) return std::make_unique<Dynamic<512>>(making);
  return std::make_unique<Dynamic<4224>>(making);
}

}  // namespace

int main() { return hashbench::cuda_device::serve("DyCuckoo " LIBRARY_VERSION, create); }
