// Tables in CUDA: arrays in the device's memory, times by CUDA events on the default stream, what a program says of its device.
#pragma once

#include <cuda_runtime.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <string>

#include "../hashbench.hpp"

namespace hashbench {
namespace cuda_device {

/// Throws std::bad_alloc where memory is short. After any other error no call of this process succeeds: it ends.
inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw std::bad_alloc();
  }
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  std::_Exit(1);
}

/// Throws std::bad_alloc where the device has less memory free: several libraries end the process.
inline void requireFree(std::size_t bytes) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  if (bytes > free) throw std::bad_alloc();
}

class DeviceMemory : public Memory {
 public:
  Words make(Words, std::size_t words) override {
    Words own = nullptr;
    check(cudaMalloc(&own, words * sizeof(*own)));
    return own;
  }
  void send(Words own, ConstWords shared, std::size_t words) override { copy(own, shared, words, cudaMemcpyHostToDevice); }
  void fetch(Words shared, ConstWords own, std::size_t words) override { copy(shared, own, words, cudaMemcpyDeviceToHost); }
  void fill(Words own, int byte, std::size_t words) override { check(cudaMemset(own, byte, words * sizeof(*own))); }
  void drop(Words own) override { check(cudaFree(own)); }

 private:
  static void copy(Words to, ConstWords from, std::size_t words, cudaMemcpyKind kind) {
    check(cudaMemcpy(to, from, words * sizeof(*to), kind));
  }
};

static __global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

/// Nanoseconds between two events, around what the work puts into the default stream. About a millisecond of other work goes before:
/// it keeps the clocks up, and what is measured is launched while that runs.
template <class Work>
double timed(Work&& work) {
  static const auto event = [] {
    cudaEvent_t made;
    check(cudaEventCreate(&made));
    return made;
  };
  static const cudaEvent_t begin = event(), end = event();
  spin<<<512, 128>>>(2'000'000);
  check(cudaEventRecord(begin));
  work();
  check(cudaGetLastError());
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  // Events have a resolution of half a microsecond.
  return std::max(1.0, milliseconds * 1e6);
}

/// What a library wants that takes pairs: an iterator over them. @tparam Pair made of a key and a value
template <class Pair>
struct PairAt {
  ConstWords keys, values;
  __host__ __device__ Pair operator()(std::size_t i) const { return Pair{keys[i], values[i]}; }
};

static __global__ void hideReserved(ConstWords keys, Words answers, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && keys[i] >= DELETED) answers[i] = EMPTY;
}

/// Reserved words are no keys: outside the time, for libraries whose search meets them in slots without a pair.
inline void hideReservedKeys(ConstWords keys, Words answers, std::size_t n) {
  if (n > 0) hideReserved<<<(n + 255) / 256, 256>>>(keys, answers, n);
  check(cudaGetLastError());
}

struct Found {
  __host__ __device__ bool operator()(std::uint32_t answer) const { return answer != EMPTY; }
};

/// How many different ones of these keys the table has: what an erasure counts, of libraries that do not. Outside the time.
inline std::size_t present(Table& table, ConstWords keys, std::size_t n) {
  thrust::device_vector<std::uint32_t> own(thrust::device_pointer_cast(keys), thrust::device_pointer_cast(keys) + n);
  thrust::sort(own.begin(), own.end());
  own.erase(thrust::unique(own.begin(), own.end()), own.end());
  thrust::device_vector<std::uint32_t> answers(own.size());
  table.find(own.data().get(), answers.data().get(), own.size());
  return thrust::count_if(answers.begin(), answers.end(), Found());
}

/// Version of the driver, as it says itself.
inline std::string driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return "NVIDIA " + word;
  int version = 0;
  cudaDriverGetVersion(&version);
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The program of a table on the first CUDA device, which wants memory for pairs of 8 bytes. @param library its name and version
inline int serve(const std::string& library, std::function<std::unique_ptr<Table>(const Making&)> create) {
  cudaDeviceProp properties{};
  const bool usable = cudaGetDeviceProperties(&properties, 0) == cudaSuccess;
  Program program;
  program.device = usable ? properties.name : "no CUDA device";
  program.driver = driver();
  program.library = library;
  program.clock = "CUDA events";
  program.memory = std::make_shared<DeviceMemory>();
  program.create = [=](const Making& making) {
    if (!usable) throw Unfit("there is no CUDA device");
    requireFree(making.slots() * 8);
    return create(making);
  };
  return hashbench::serve(program);
}

}  // namespace cuda_device
}  // namespace hashbench
