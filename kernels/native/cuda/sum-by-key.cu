// Sums by key. `sum-by-key cub`: a radix sort of the rows, and a reduction of the runs of each key. `sum-by-key cuco`: cuCollections' static_map,
// whose insert_or_apply adds rows up in maps in shared memory first; then retrieve_all.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include "cuco.hpp"

#include <cuco/utility/reduction_functors.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "device.hpp"

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"
#endif

namespace {

using namespace hashbench;
using cuda_device::check;
using cuda_device::timed;
using Key = std::uint32_t;

class Cub : public GroupBy {
 public:
  Done group(ConstWords keys, ConstWords values, std::size_t n, Words groups, Words sums) override {
    sortedKeys.resize(n);
    sortedValues.resize(n);
    std::size_t sort = 0, reduce = 0;
    // Without memory they say how much they want.
    const auto run = [&](void* memory) {
      const Words own = sortedKeys.data().get(), beside = sortedValues.data().get();
      check(cub::DeviceRadixSort::SortPairs(memory, sort, keys, own, values, beside, n));
      check(cub::DeviceReduce::ReduceByKey(memory, reduce, own, groups, beside, sums, count.data().get(),
                                           cuda::std::plus<>{}, n));
    };
    run(nullptr);
    temporary.resize(std::max(sort, reduce));
    const double ns = timed([&] { run(temporary.data().get()); });
    return {ns, count[0]};
  }

 private:
  thrust::device_vector<std::uint32_t> sortedKeys, sortedValues, count{1};
  thrust::device_vector<char> temporary;
};

/// Memory of the device's pool, which keeps some: retrieve_all allocates.
template <class T>
struct Pooled {
  using value_type = T;
  Pooled() = default;
  template <class U>
  Pooled(const Pooled<U>&) {}
  T* allocate(std::size_t n) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, n * sizeof(T), nullptr));
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { check(cudaFreeAsync(memory, nullptr)); }
};

class Cuco : public GroupBy {
 public:
  explicit Cuco(const Making& making) : map(making.slots(), cuco::empty_key<Key>{EMPTY}, cuco::empty_value<Key>{0}) {
    cudaMemPool_t pool;
    check(cudaDeviceGetDefaultMemPool(&pool, 0));
    std::uint64_t kept = 1 << 26;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  }

  std::size_t slots() const override { return map.capacity(); }
  std::size_t bytes() const override { return map.capacity() * sizeof(Pair); }

  Done group(ConstWords keys, ConstWords values, std::size_t n, Words groups, Words sums) override {
    const auto rows = thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t{0}),
                                                      cuda_device::PairAt<Pair>{keys, values});
    Words end = groups;
    const double ns = timed([&] {
      map.clear_async();
      map.insert_or_apply_async(rows, rows + n, Key{0}, cuco::reduce::plus{});
      end = map.retrieve_all(groups, sums).first;
    });
    return {ns, static_cast<std::size_t>(end - groups)};
  }

 private:
  using Pair = cuco::pair<Key, Key>;
  // Of its probing schemes those of one lane have the maps in shared memory.
  cuco::static_map<Key, Key, cuco::extent<std::size_t>, cuda::thread_scope_device, thrust::equal_to<Key>,
                   cuco::linear_probing<1, cuco::default_hash_function<Key>>, Pooled<Pair>>
      map;
};

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::string(arguments[1]) == "cuco")
    return cuda_device::serve("cuCollections " LIBRARY_VERSION,
                              [](const Making& making) { return std::make_unique<Cuco>(making); });
  const std::string version = std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
                              std::to_string(CUB_SUBMINOR_VERSION);
  return cuda_device::serve("CUB " + version, [](const Making&) { return std::make_unique<Cub>(); });
}
