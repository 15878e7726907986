// For `nvcc -include split-cas.cuh`: a library's 64-bit CAS of a pair becomes what WGSL has in its place, a 32-bit CAS of the key, the pair's
// lower half, and a store of its value. So built, an original shows what the missing 64-bit CAS costs its port. No table to use: who
// looks at a pair beside insertions may see a key without its value.
#pragma once

#ifdef __CUDACC__
#include <cuda_runtime.h>

using SplitPair = unsigned long long;

static __device__ __forceinline__ SplitPair splitCas(SplitPair* at, SplitPair old, SplitPair pair) {
  unsigned* words = reinterpret_cast<unsigned*>(at);
  const unsigned key = static_cast<unsigned>(old);
  const unsigned seen = atomicCAS(words, key, static_cast<unsigned>(pair));
  // Any word but `old`: the key is another one.
  if (seen != key) return seen;
  words[1] = static_cast<unsigned>(pair >> 32);
  return old;
}
template <class Word>
static __device__ __forceinline__ Word splitCas(Word* at, Word old, Word word) {
  return atomicCAS(at, old, word);
}

#define atomicCAS(...) splitCas(__VA_ARGS__)
#endif
