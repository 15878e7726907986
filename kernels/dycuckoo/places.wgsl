// Two-layer hashing (Li et al., Dynamic Hash Tables on GPUs, 5.1): a key's first layer names one of the C(d, 2) pairs of
// sub-tables, the second a bucket in each of the two. A key is stored in one of these two buckets.
//
// Address of a bucket:
//   one array         its index there: the sub-tables lie one after another
//   SEVERAL           8 bits sub-table, 24 bits index in it: every sub-table is a buffer, so that one can be resized
// Address of a slot: bucket · BUCKET + slot: of SEVERAL, its sub-table above the index in it of 29 bits, or 28 (NARROW).
import package::kernels::common::hash::{mix32, mix32b};

// Pairs of sub-tables.
struct Sizes { seed: u32, pairs: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

struct Pair {
  // Address of each sub-table's first bucket, its buckets, and what makes its hash function.
  base: vec2u,
  buckets: vec2u,
  salt: vec2u,
  // Of 65,536 keys so many go to the first sub-table first (4.3): n_i / C(m_i, 2) against the other's.
  share: u32,
  // Numbers of the sub-tables: first | second << 16.
  tables: u32,
}
// From a sub-table's first lock to the next one's (SEVERAL), then the pairs.
struct Tables { stride: u32, @align(16) pairs: array<Pair, 28> }
@group(0) @binding(30) var<uniform> tables: Tables;

// Slots of a bucket.
@if(NARROW) const BUCKET = 16u;
@else const BUCKET = 32u;
@if(SEVERAL) const IN_TABLE = (BUCKET << 24u) - 1u;
@if(SEVERAL) fn table_of(slot: u32) -> u32 { return slot / (IN_TABLE + 1u); }
@if(SEVERAL) fn slot_in(slot: u32) -> u32 { return slot & IN_TABLE; }

// Where a key may be: the bucket that it goes to first, and the other; and their sub-tables.
struct Places { first: u32, second: u32, first_table: u32, second_table: u32 }

// The bucket that the key goes to first.
fn first_place(key: u32) -> u32 {
  let h = mix32b(key ^ sizes.seed);
  let pair = tables.pairs[((h >> 16u) * sizes.pairs) >> 16u];
  let to_x = (h & 0xffffu) < pair.share;
  let salt = select(pair.salt.y, pair.salt.x, to_x);
  return select(pair.base.y, pair.base.x, to_x) + mix32(key ^ salt) % select(pair.buckets.y, pair.buckets.x, to_x);
}

fn places_of(key: u32) -> Places {
  let h = mix32b(key ^ sizes.seed);
  let pair = tables.pairs[((h >> 16u) * sizes.pairs) >> 16u];
  let x = pair.base.x + mix32(key ^ pair.salt.x) % pair.buckets.x;
  let y = pair.base.y + mix32(key ^ pair.salt.y) % pair.buckets.y;
  let i = pair.tables & 0xffffu;
  let j = pair.tables >> 16u;
  if ((h & 0xffffu) < pair.share) { return Places(x, y, i, j); }
  return Places(y, x, j, i);
}
