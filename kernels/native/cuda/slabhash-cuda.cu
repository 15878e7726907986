// SlabHash's concurrent map (Ashkiani et al., A Dynamic Hash Table for the GPU, IPDPS 2018): lists of slabs of 128 bytes, of which a
// warp reads one at a time. The load factor is the memory utilisation.
#include <slab_hash.cuh>

#include "device.hpp"

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"
#endif

namespace {

using hashbench::ConstWords;
using hashbench::Done;
using hashbench::Making;
using hashbench::Unfit;
using hashbench::Words;
using hashbench::cuda_device::timed;
using Key = std::uint32_t;
using SlabHash = GpuSlabHash<Key, Key, SlabHashTypeT::ConcurrentMap>;

constexpr double PAIRS = concurrent_slab<Key, Key>::NUM_ELEMENTS_PER_SLAB;
constexpr std::size_t SLAB_BYTES = sizeof(concurrent_slab<Key, Key>);
constexpr double POOL = AllocatorContextT::NUM_MEM_UNITS_PER_BLOCK_ * double(AllocatorContextT::NUM_MEM_BLOCKS_PER_SUPER_BLOCK_) *
                        slab_alloc_par::num_super_blocks;

/// Slabs that n pairs in so many lists are expected to take, where the pairs of a list follow Poisson's distribution.
double expectedSlabs(double n, double lists) {
  const double mean = n / lists;
  if (mean > 600) return lists * (mean + (PAIRS - 1) / 2) / PAIRS;
  double probability = std::exp(-mean), slabs = probability;
  for (int x = 1; x < mean + 12 * std::sqrt(mean) + 30; x++) {
    probability *= mean / x;
    slabs += probability * std::ceil(x / PAIRS);
  }
  return lists * slabs;
}

/// The most lists with which n pairs are expected to reach the memory utilisation.
std::uint32_t listsFor(double n, double utilisation) {
  double low = 1, high = std::max(1.0, std::ceil(n * 8 / (utilisation * SLAB_BYTES)));
  while (low < high) {
    const double middle = std::ceil((low + high) / 2);
    if (n * 8 >= utilisation * expectedSlabs(n, middle) * SLAB_BYTES)
      low = middle;
    else
      high = middle - 1;
  }
  return static_cast<std::uint32_t>(low);
}

class SlabMap : public hashbench::Table {
 public:
  explicit SlabMap(const Making& making)
      : lists(listsFor(std::max<double>(1, making.n), making.loadFactor)),
        expected(expectedSlabs(std::max<double>(1, making.n), lists)),
        seed(making.seed),
        bulk(making.params.text("search") == "bulk") {
    // A pool without a free slab is searched for ever.
    if (expected + 6 * std::sqrt(expected) - lists > POOL) throw Unfit("the library's pool has too few slabs");
    hashbench::cuda_device::requireFree(static_cast<std::size_t>((lists + POOL * 1.1) * SLAB_BYTES));
    clear();
  }

  // As many pairs as bytes of slabs would hold, pointers and spare words among these: n / slots is the memory utilisation.
  std::size_t slots() const override { return static_cast<std::size_t>(expected * (SLAB_BYTES / 8)); }
  std::size_t bytes() const override {
    if (held == 0) return lists * SLAB_BYTES;
    return static_cast<std::size_t>(held * 8 / table->computeLoadFactor(0));
  }
  void clear() override {
    table.reset();
    pool.reset();
    pool = std::make_unique<DynamicAllocatorT>();
    table = std::make_unique<SlabHash>(lists, pool.get(), 0, seed);
    held = 0;
  }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    held += n;
    return {timed([&] { table->buildBulk(const_cast<Words>(keys), const_cast<Words>(values), n); })};
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    const double ns = timed([&] {
      if (bulk)
        table->searchBulk(const_cast<Words>(keys), answers, n);
      else
        table->searchIndividual(const_cast<Words>(keys), answers, n);
    });
    hashbench::cuda_device::hideReservedKeys(keys, answers, n);
    return {ns};
  }
  Done erase(ConstWords keys, std::size_t n) override {
    const std::size_t erased = hashbench::cuda_device::present(*this, keys, n);
    held -= erased;
    return {timed([&] { table->deleteIndividual(const_cast<Words>(keys), n); }), erased};
  }

 private:
  const std::uint32_t lists;
  const double expected;
  const std::uint32_t seed;
  const bool bulk;
  std::size_t held = 0;
  std::unique_ptr<DynamicAllocatorT> pool;
  std::unique_ptr<SlabHash> table;
};

}  // namespace

int main() {
  return hashbench::cuda_device::serve("SlabHash " LIBRARY_VERSION,
                                       [](const Making& making) { return std::make_unique<SlabMap>(making); });
}
