// What an insertion's write costs in CUDA, where key and value can be written by one 64-bit CAS, and as WGSL has to write them: a 32-bit
// CAS for the key, then a store of the value. No table, and no bucket is read: every thread writes one pair to a random slot of 1 GiB,
// which is empty before. Prints G pairs/s, the median of nine runs.
//
//     nvcc -O3 -std=c++17 atomics.cu -o atomics && ./atomics
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr uint32_t slots = 1u << 27;
constexpr uint32_t pairs = 100'000'000;
constexpr uint32_t empty = 0xffffffffu;
constexpr int runs = 9;

// A bijection: no two threads want the same slot.
__device__ uint32_t slot_of(uint32_t i) {
  i *= 0x9e3779b1u;
  i &= slots - 1;
  i ^= i >> 14;
  i = (i * 0x85ebca6bu) & (slots - 1);
  i ^= i >> 15;
  return (i * 0xc2b2ae35u) & (slots - 1);
}

struct Arrays {
  uint32_t* keys;
  uint32_t* values;
  unsigned long long* both;
};

// One 64-bit CAS.
struct Cas64 {
  static __device__ bool put(Arrays to, uint32_t slot, uint32_t key) {
    const unsigned long long pair = key | (static_cast<unsigned long long>(key) << 32);
    return atomicCAS(to.both + slot, ~0ull, pair) == ~0ull;
  }
};

// A 32-bit CAS, the value behind its key in the same sector.
struct CasBeside {
  static __device__ bool put(Arrays to, uint32_t slot, uint32_t key) {
    auto* words = reinterpret_cast<uint32_t*>(to.both + slot);
    if (atomicCAS(words, empty, key) != empty) return false;
    words[1] = key;
    return true;
  }
};

// A 32-bit CAS, the value in an array of its own.
struct CasApart {
  static __device__ bool put(Arrays to, uint32_t slot, uint32_t key) {
    if (atomicCAS(to.keys + slot, empty, key) != empty) return false;
    to.values[slot] = key;
    return true;
  }
};

template <class Way>
__global__ void put(Arrays to, uint32_t* failed) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs && !Way::put(to, slot_of(i), i)) atomicAdd(failed, 1);
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class Way>
void measure(const char* name, Arrays arrays, uint32_t* failed) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int run = 0; run < runs + 1; run++) {
    check(cudaMemset(arrays.both, 0xff, slots * 8ull));
    check(cudaMemset(failed, 0, 4));
    check(cudaEventRecord(begin));
    put<Way><<<(pairs + 255) / 256, 256>>>(arrays, failed);
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    if (run > 0) times.push_back(ms);
  }
  uint32_t wrong = 0;
  check(cudaMemcpy(&wrong, failed, 4, cudaMemcpyDeviceToHost));
  std::sort(times.begin(), times.end());
  std::printf("%-48s %6.2f G pairs/s, %u failed\n", name, pairs / times[runs / 2] / 1e6, wrong);
}

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  std::printf("%s\n", device.name);
  Arrays arrays{};
  uint32_t* failed = nullptr;
  check(cudaMalloc(&arrays.both, slots * 8ull));
  check(cudaMalloc(&failed, 4));
  arrays.keys = reinterpret_cast<uint32_t*>(arrays.both);
  arrays.values = arrays.keys + slots;
  measure<Cas64>("64-bit CAS", arrays, failed);
  measure<CasBeside>("32-bit CAS, value in the key's sector", arrays, failed);
  measure<CasApart>("32-bit CAS, value in an array of its own", arrays, failed);
  return 0;
}
