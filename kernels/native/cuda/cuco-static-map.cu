// cuCollections' static_map: open addressing by linear probing or double hashing. A group of lanes looks at a window of slots each.
#include "cuco.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "device.hpp"

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"
#endif

namespace {

using namespace hashbench;
using cuda_device::timed;
using Key = std::uint32_t;
using Pair = cuco::pair<Key, Key>;

template <class Probing, int Window>
class StaticMap : public Table {
 public:
  // A search for an absent key ends at an empty slot.
  explicit StaticMap(const Making& making)
      : map(std::max(making.slots(), making.n + 1), cuco::empty_key<Key>{EMPTY}, cuco::empty_value<Key>{EMPTY},
            cuco::erased_key<Key>{DELETED}) {
    cuda_device::check(cudaDeviceSynchronize());
  }

  std::size_t slots() const override { return map.capacity(); }
  std::size_t bytes() const override { return map.capacity() * sizeof(Pair); }
  void clear() override { map.clear(); }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    const auto pairs = thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t{0}),
                                                       cuda_device::PairAt<Pair>{keys, values});
    return {timed([&] { map.insert_async(pairs, pairs + n); })};
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    const double ns = timed([&] { map.find_async(keys, keys + n, answers); });
    cuda_device::hideReservedKeys(keys, answers, n);
    return {ns};
  }
  Done erase(ConstWords keys, std::size_t n) override {
    const std::size_t erased = cuda_device::present(*this, keys, n);
    return {timed([&] { map.erase_async(keys, keys + n); }), erased};
  }

 private:
  cuco::static_map<Key, Key, cuco::extent<std::size_t>, cuda::thread_scope_device, thrust::equal_to<Key>, Probing,
                   cuco::cuda_allocator<Pair>, cuco::storage<Window>>
      map;
};

template <class Probing>
std::unique_ptr<Table> withWindow(const Making& making) {
  if (making.params.number("window") == 1) return std::make_unique<StaticMap<Probing, 1>>(making);
  return std::make_unique<StaticMap<Probing, 2>>(making);
}

template <int Group>
std::unique_ptr<Table> withProbing(const Making& making) {
  using Hash = cuco::default_hash_function<Key>;
  if (making.params.text("probing") == "linear") return withWindow<cuco::linear_probing<Group, Hash>>(making);
  return withWindow<cuco::double_hashing<Group, Hash>>(making);
}

std::unique_ptr<Table> create(const Making& making) {
  const double group = making.params.number("group");
  return group == 1 ? withProbing<1>(making) : group == 2 ? withProbing<2>(making) : withProbing<4>(making);
}

}  // namespace

int main() { return cuda_device::serve("cuCollections " LIBRARY_VERSION, create); }
