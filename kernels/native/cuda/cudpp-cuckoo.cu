// CUDPP's cuckoo hash table (Alcantara et al., Building an Efficient Hash Table on the GPU, 2011): one slot a function and a stash,
// built at once; a build that fails begins again with other functions, inside the time.
#include <hash_table.h>
#include <mt19937ar.h>

#include "device.hpp"

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"
#endif

namespace {

using namespace hashbench;
using cuda_device::timed;
using Cuckoo = CudaHT::CuckooHashing::HashTable;

class CudppCuckoo : public Table {
 public:
  explicit CudppCuckoo(const Making& making) {
    const auto functions = static_cast<unsigned>(making.params.number("functions"));
    const double usage = 1 / making.loadFactor;
    if (usage < CudaHT::CuckooHashing::kMinimumSpaceUsages[functions])
      throw Unfit("with " + std::to_string(functions) + " functions the load factor is too high");
    if (making.slots() > UINT32_MAX - 1000) throw Unfit("more than 2^32 slots");
    init_genrand(making.seed);
    if (!table.Initialize(static_cast<unsigned>(making.n), static_cast<float>(usage), functions)) throw std::bad_alloc();
    clear();
  }

  std::size_t slots() const override { return table.get_table_size(); }
  std::size_t bytes() const override {
    return (table.get_table_size() + std::size_t{CudaHT::CuckooHashing::kStashSize}) * sizeof(CudaHT::CuckooHashing::Entry);
  }
  // A build clears the table first; until then a search finds nothing.
  void clear() override { built = false; }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    const double ns = timed([&] { built = table.Build(static_cast<unsigned>(n), keys, values); });
    return {ns, built ? 0 : n};
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    if (!built) return {timed([&] { cuda_device::check(cudaMemset(answers, 0xFF, n * sizeof(*answers))); })};
    const double ns = timed([&] { table.Retrieve(static_cast<unsigned>(n), keys, answers); });
    cuda_device::hideReservedKeys(keys, answers, n);
    return {ns};
  }

 private:
  Cuckoo table;
  bool built = false;
};

}  // namespace

int main() {
  return cuda_device::serve("CUDPP " LIBRARY_VERSION,
                            [](const Making& making) { return std::make_unique<CudppCuckoo>(making); });
}
