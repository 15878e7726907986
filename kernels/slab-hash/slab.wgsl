// A slab list's node, and which list a key is in (Ashkiani et al., IPDPS 2018, sections III and IV.B).
//
// Layout: slab s = 32 words, table[32s … 32s+31].
//   pairs      word 2i key, word 2i+1 value of slot i, 15 slots
//   KEYS       word i key of slot i, 30 slots
//   word 30    EMPTY always
//   word 31    the next slab of the list; EMPTY at its tail
// Slabs 0 … sizes.buckets - 1 are the base slabs of the lists; the others come from the allocator, all EMPTY.
import package::kernels::common::hash::mix32;

struct Sizes { buckets: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

const SLAB_WORDS = 32u;
const NEXT = 31u;

fn bucket_of(key: u32) -> u32 { return mix32(key ^ sizes.seed) % sizes.buckets; }
