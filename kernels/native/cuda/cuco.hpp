// cuCollections' static_map, whose headers want what Thrust of CUDA 13 has no more.
#pragma once

#include <thrust/version.h>

#if THRUST_VERSION >= 300000
namespace thrust {
/// What cuCollections of 2024 uses, and Thrust 3 has no more.
template <class T = void>
struct identity {
  __host__ __device__ constexpr const T& operator()(const T& value) const { return value; }
};
template <>
struct identity<void> {
  template <class T>
  __host__ __device__ constexpr T&& operator()(T&& value) const {
    return static_cast<T&&>(value);
  }
};
}  // namespace thrust
#endif

#include <cuco/static_map.cuh>
