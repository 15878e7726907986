// Random accesses to pinned host memory by CUDA kernels (cudaHostAlloc, mapped), as device/host makes them by WebGPU; and to device memory.
// nvcc -O3 -arch=native host-memory.cu -o host-memory && ./host-memory [MiB of the table] [log2 of the accesses]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                        \
  do {                                                                     \
    const cudaError_t error = (call);                                      \
    if (error != cudaSuccess) {                                            \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

__host__ __device__ static std::uint32_t mix32(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

enum Access { READ4, READ8, READ32, READ128, READ128X8, WRITE4, WRITE8, EXCHANGE, CAS, COPY16 };

template <Access access>
__global__ void run(std::uint32_t* table, std::uint32_t words, std::uint32_t n, std::uint32_t* seen, uint4* target) {
  const std::uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t lanes = access == READ128X8 ? 8 : 1;
  if (at >= n * lanes) return;
  constexpr std::uint32_t block = access == READ4 || access == WRITE4 || access == EXCHANGE || access == CAS ? 1
                                  : access == READ8 || access == WRITE8                                  ? 2
                                  : access == READ32                                                     ? 8
                                  : access == COPY16                                                     ? 4
                                                                                                         : 32;
  std::uint32_t* place = table + std::uint64_t{mix32(at / lanes) % (words / block)} * block;
  uint4 got = {0, 0, 0, 0};
  if constexpr (access == READ4) got.x = *place;
  if constexpr (access == READ8) got.x = reinterpret_cast<uint2*>(place)->y;
  if constexpr (access == READ32 || access == READ128)
    for (std::uint32_t i = 0; i < block / 4; i++) {
      const uint4 part = reinterpret_cast<uint4*>(place)[i];
      got.x ^= part.x ^ part.w;
    }
  if constexpr (access == READ128X8) got = reinterpret_cast<uint4*>(place)[at % 8];
  if constexpr (access == WRITE4) *place = at;
  if constexpr (access == WRITE8) *reinterpret_cast<uint2*>(place) = {at, at};
  if constexpr (access == EXCHANGE) atomicExch(place, at);
  if constexpr (access == CAS) atomicCAS(place, 0, at);
  if constexpr (access == COPY16) target[at] = reinterpret_cast<uint4*>(table)[at];
  if ((got.x ^ got.w) == 0x6e656564u) *seen = at;
}

template <Access access>
static void measure(const char* memory, const char* name, std::uint32_t bytes, std::uint32_t* table, std::uint32_t words,
                    std::uint32_t n, std::uint32_t* seen, uint4* target) {
  const std::uint64_t lanes = std::uint64_t{n} * (access == READ128X8 ? 8 : 1);
  cudaEvent_t from, to;
  CHECK(cudaEventCreate(&from));
  CHECK(cudaEventCreate(&to));
  std::vector<float> times;
  for (int i = 0; i < 6; i++) {
    CHECK(cudaEventRecord(from));
    run<access><<<static_cast<unsigned>((lanes + 255) / 256), 256>>>(table, words, n, seen, target);
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, from, to));
    if (i > 0) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  const double rate = n / (times[2] * 1e3);
  std::printf("%s,%s,%u,%.1f,%.2f\n", memory, name, words / (1 << 18), rate, rate * bytes / 1e3);
}

int main(int count, char** arguments) {
  const std::uint32_t mib = count > 1 ? std::atoi(arguments[1]) : 1024;
  const std::uint32_t n = 1u << (count > 2 ? std::atoi(arguments[2]) : 22);
  const std::size_t bytes = std::size_t{mib} << 20;
  const auto words = static_cast<std::uint32_t>(bytes / 4);
  std::uint32_t *host = nullptr, *device = nullptr, *seen = nullptr;
  uint4* target = nullptr;
  CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocMapped));
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaMalloc(&target, bytes));
  CHECK(cudaMalloc(&seen, 4));
  CHECK(cudaMemset(device, 0, bytes));
  std::printf("memory,access,table_mib,maccesses_per_s,gb_per_s\n");
  for (const bool is_host : {true, false}) {
    std::uint32_t* table = device;
    if (is_host) CHECK(cudaHostGetDevicePointer(&table, host, 0));
    const char* memory = is_host ? "host" : "device";
    const auto all = static_cast<std::uint32_t>(bytes / 16);
    measure<COPY16>(memory, "copy", 16, table, words, all, seen, target);
    measure<READ4>(memory, "read4", 4, table, words, n, seen, target);
    measure<READ8>(memory, "read8", 8, table, words, n, seen, target);
    measure<READ32>(memory, "read32", 32, table, words, n, seen, target);
    measure<READ128>(memory, "read128", 128, table, words, n, seen, target);
    measure<READ128X8>(memory, "read128x8", 128, table, words, n, seen, target);
    measure<WRITE4>(memory, "write4", 4, table, words, n, seen, target);
    measure<WRITE8>(memory, "write8", 8, table, words, n, seen, target);
    measure<EXCHANGE>(memory, "exchange", 4, table, words, n, seen, target);
    measure<CAS>(memory, "cas", 4, table, words, n, seen, target);
  }
  return 0;
}
