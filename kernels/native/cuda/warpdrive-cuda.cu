// WarpDrive (Jünger et al., WarpDrive, IPDPS 2018): a group of lanes probes as many slots at once, at places that a hash gives anew for
// each probe. It takes pairs and writes what it found over them; a slot of an erased key would hold a search for ever, so it does not erase.
#include <cooperative_groups.h>
#include <cuda_helpers.cuh>

#include "device.hpp"

/// Its lanes vote in branches that others of their group do not take, which since Volta is only defined for the lanes that are there.
namespace groups_before_volta {

template <unsigned Size>
struct Tile {
  __device__ unsigned mask() const { return ((1ULL << Size) - 1) << (lane() & ~(Size - 1)); }
  __device__ bool any(bool one) const { return __any_sync(mask(), one); }
  __device__ bool all(bool one) const { return __all_sync(mask(), one); }
  __device__ unsigned ballot(bool one) const {
    const unsigned there = mask() & __activemask();
    return __ballot_sync(there, one) >> (lane() & ~(Size - 1));
  }
  __device__ unsigned size() const { return Size; }
  __device__ unsigned thread_rank() const { return lane() & (Size - 1); }

 private:
  static __device__ unsigned lane() { return (threadIdx.y * blockDim.x + threadIdx.x) & 31; }
};

struct Block {};
inline __device__ Block this_thread_block() { return {}; }
template <unsigned Size>
__device__ Tile<Size> tiled_partition(Block) {
  return {};
}

}  // namespace groups_before_volta

#define cooperative_groups groups_before_volta
#include <warpdrive.cuh>
#undef cooperative_groups

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"
#endif

namespace {

using namespace hashbench;
using cuda_device::timed;
using Policy = warpdrive::policies::PackedPairDataPolicy<>;
using Pair = Policy::data_t;

/// Counts the pairs that found no slot.
struct Counting {
  using data_t = int;
  unsigned* count;
  template <class Failure>
  __device__ void handle(const Failure&) const {
    atomicAdd(count, 1u);
  }
};

struct PairOf {
  __host__ __device__ Pair operator()(std::uint32_t key, std::uint32_t value) const { return Pair(key, value); }
};
struct QueryOf {
  __host__ __device__ Pair operator()(std::uint32_t key) const { return Pair(key, std::uint32_t{EMPTY}); }
};
struct ValueOf {
  __host__ __device__ std::uint32_t operator()(const Pair& pair) const { return static_cast<std::uint32_t>(pair.payload >> 32); }
};

template <unsigned Group>
class WarpDrive : public Table {
 public:
  explicit WarpDrive(const Making& making) : table(std::max(making.slots(), making.n + 1)), failures(1) { clear(); }

  std::size_t slots() const override { return table.size(); }
  std::size_t bytes() const override { return table.size() * sizeof(Pair); }
  void clear() override { thrust::fill(table.begin(), table.end(), Pair(EMPTY, 0)); }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    using Plan = warpdrive::plans::BasicPlan<Group, Policy, Counting>;
    items.resize(n);
    thrust::transform(thrust::device, keys, keys + n, values, items.begin(), PairOf());
    failures[0] = 0;
    const Counting counting{failures.data().get()};
    const double ns = timed([&] { run<Plan, Plan::table_op_t::insert>(n, counting); });
    return {ns, failures[0]};
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    using Ignoring = warpdrive::policies::IgnoreFailurePolicy;
    using Plan = warpdrive::plans::BasicPlan<Group, Policy, Ignoring>;
    items.resize(n);
    thrust::transform(thrust::device, keys, keys + n, items.begin(), QueryOf());
    const double ns = timed([&] { run<Plan, Plan::table_op_t::retrieve>(n, Ignoring()); });
    thrust::transform(thrust::device, items.begin(), items.end(), answers, ValueOf());
    cuda_device::hideReservedKeys(keys, answers, n);
    return {ns};
  }

 private:
  template <class Plan, typename Plan::table_op_t Operation, class Failures>
  void run(std::size_t n, const Failures& onFailure) {
    Plan::template table_operation<Operation>(items.data().get(), n, table.data().get(), table.size(), onFailure);
  }

  thrust::device_vector<Pair> table, items;
  thrust::device_vector<unsigned> failures;
};

std::unique_ptr<Table> create(const Making& making) {
  const double group = making.params.number("group");
  if (group == 2) return std::make_unique<WarpDrive<2>>(making);
  if (group == 8) return std::make_unique<WarpDrive<8>>(making);
  return std::make_unique<WarpDrive<4>>(making);
}

}  // namespace

int main() { return cuda_device::serve("WarpDrive " LIBRARY_VERSION, create); }
