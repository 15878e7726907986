// BGHT (Awad et al., Analyzing and Implementing GPU Hash Tables, APOCS 2023): buckets that a tile of lanes reads at once. bcht: cuckoo
// hashing, three buckets a key; p2bht: the emptier one of two. Neither erases.
#include <bght/bcht.hpp>
#include <bght/p2bht.hpp>
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
using Pair = bght::pair<Key, Key>;

template <template <class, class, class, class, cuda::thread_scope, class, int> class Scheme, int Bucket>
class Bght : public Table {
 public:
  explicit Bght(const Making& making) : capacity((making.slots() + Bucket - 1) / Bucket * Bucket), map(capacity, EMPTY, EMPTY) {}

  std::size_t slots() const override { return capacity; }
  std::size_t bytes() const override { return capacity * sizeof(Pair); }
  void clear() override {
    map.clear();
    held = 0;
  }

  Done insert(ConstWords keys, ConstWords values, std::size_t n) override {
    const auto pairs = thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t{0}),
                                                       cuda_device::PairAt<Pair>{keys, values});
    bool all = true;
    Done done{timed([&] { all = map.insert(pairs, pairs + n); })};
    held += n;
    if (!all) {
      // It does not say how many it refused.
      const std::size_t kept = map.size();
      done.count = held - kept;
      held = kept;
    }
    return done;
  }
  Done find(ConstWords keys, Words answers, std::size_t n) override {
    return {timed([&] { map.find(keys, keys + n, answers); })};
  }

 private:
  const std::size_t capacity;
  std::size_t held = 0;
  Scheme<Key, Key, bght::MurmurHash3_32<Key>, bght::equal_to<Key>, cuda::thread_scope_device, bght::cuda_allocator<char>, Bucket>
      map;
};

template <template <class, class, class, class, cuda::thread_scope, class, int> class Scheme>
std::unique_ptr<Table> create(const Making& making) {
  if (making.params.number("bucket") == 8) return std::make_unique<Bght<Scheme, 8>>(making);
  return std::make_unique<Bght<Scheme, 16>>(making);
}

}  // namespace

int main(int count, char** arguments) {
  const bool powerOfTwo = count > 1 && std::string(arguments[1]) == "p2bht";
  return cuda_device::serve("BGHT " LIBRARY_VERSION, powerOfTwo ? create<bght::p2bht> : create<bght::bcht>);
}
