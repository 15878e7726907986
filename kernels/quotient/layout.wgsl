// Buckets of quotiented keys (quotienting: Cleary, Compact Hash Tables Using Bidirectional Linear Probing, 1984; in GPU buckets,
// for keys alone: Hegeman et al., Compact Parallel Hash Tables on the GPU, Euro-Par 2024).
//
// A key has HASHES hashes, each a bijection of it; the first two are one. Of hash h and M buckets, floor(h · M / 2^32) is the bucket, and the upper
// REMAINDER_BITS bits of h · M mod 2^32 are the remainder. Hashes of one bucket differ by less than 2^32 / M, and their products
// by M or more: remainders tell them apart where 2^(32 - REMAINDER_BITS) <= M, which the host sees to. Remainder and number of
// the hash are the tag. So a bucket and a tag in it stand for one key, exactly.
//
// Layout of a bucket's 8 words, 32 bytes:
//   word w < WORDS     TAGS tags of TAG_BITS bits, from bit 0 on; bits 30 and 31 are its marks
//   word WORDS + i     value of slot i; its tag is tag i % TAGS of word i / TAGS
// After the buckets, the stash: sizes.stash slots of a key and its value, for pairs that no bucket takes; linear probing.
//
// A key's second bucket is the neighbour with which its first fills 64 bytes, the unit that memory is read by. Each of the two tells the other,
// so that bucket, remainder and number still stand for one key. A partitioned build has both in one part (place.wgsl).
//
// A key's slots: the words of its first bucket from one that the remainder chooses, then those of its second one …, then the
// stash. It goes on past a full word only, and clears one of the word's two marks (the remainder says which): a search that
// finds the mark standing ends there. Erased slots become FREE; marks stay cleared until the table is.
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::hash::{mix32, mix32b, mulhi};
@if(KEYED) import package::kernels::common::keyed::keyed_hash;

struct Sizes { buckets: u32, stash: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

// The smaller the table, the longer the remainder; the fewer pairs a bucket, the more of them are full, and the more hashes.
@if(PAIRS6) const PAIRS = 6u;
@if(PAIRS6) const TAGS = 3u;
@if(PAIRS6) const HASH_BITS = 2u;
@if(PAIRS5) const PAIRS = 5u;
@if(PAIRS5) const TAGS = 2u;
@if(PAIRS5) const HASH_BITS = 3u;
@if(PAIRS4) const PAIRS = 4u;
@if(PAIRS4) const TAGS = 1u;
@if(PAIRS4) const HASH_BITS = 5u;

const WORDS = 8u - PAIRS;
const TAG_BITS = 30u / TAGS;
const REMAINDER_BITS = TAG_BITS - HASH_BITS;
const HASHES = 1u << HASH_BITS;
// The tag of a free slot. A key whose last hash would have it has a hash fewer.
const FREE = (1u << TAG_BITS) - 1u;
// Slots of the stash that a key may have; the stash has at least as many.
const STASH_PROBES = 64u;

struct Place {
  bucket: u32,
  tag: u32,
  // The tag word that comes first: as often as it has slots.
  start: u32,
  // The key's mark, in every word of the bucket.
  mark: u32,
}

@if(!KEYED) fn first_hash(key: u32) -> u32 { return mix32(key ^ sizes.seed); }
@if(KEYED) fn first_hash(key: u32) -> u32 { return keyed_hash(key ^ sizes.seed); }
// After the hash with that number, from 0. Number 1 is the first hash once more, for another bucket.
fn next_hash(hash: u32, number: u32) -> u32 {
  if (number == 0u) { return hash; }
  return mix32b(hash + 0x9e3779b9u);
}

fn neighbour_of(bucket: u32) -> u32 { return bucket ^ 1u; }

fn place_of(hash: u32, number: u32) -> Place { return place_from(mulhi(hash, sizes.buckets), hash, number); }

// `bucket` is the hash's own.
fn place_from(bucket: u32, hash: u32, number: u32) -> Place {
  let remainder = (hash * sizes.buckets) >> (32u - REMAINDER_BITS);
  var own = bucket;
  if (number == 1u) { own = neighbour_of(bucket); }
  return Place(
    own,
    remainder | (number << REMAINDER_BITS),
    first_word(remainder),
    0x40000000u << (remainder >> (REMAINDER_BITS - 1u)),
  );
}
fn first_word(remainder: u32) -> u32 {
  if (PAIRS % TAGS == 0u) { return remainder % WORDS; }
  return remainder % PAIRS / TAGS;
}

// The first slot of the bucket that has the tag in its word number `part`; PAIRS if none has.
fn slot_of(word: u32, part: u32, tag: u32) -> u32 {
  for (var i = 0u; i < TAGS; i++) {
    let slot = part * TAGS + i;
    if (slot < PAIRS && ((word >> (i * TAG_BITS)) & FREE) == tag) { return slot; }
  }
  return PAIRS;
}

// Where the slot's tag is in its word.
fn shift_of(slot: u32) -> u32 { return slot % TAGS * TAG_BITS; }

@if(!KEYED) fn stash_home(key: u32) -> u32 { return mulhi(mix32b(key + sizes.seed), sizes.stash); }
@if(KEYED) fn stash_home(key: u32) -> u32 { return mulhi(mix32b(keyed_hash(key ^ sizes.seed)), sizes.stash); }
fn stash_next(slot: u32) -> u32 { return select(slot + 1u, 0u, slot + 1u == sizes.stash); }
// The word of the slot's key; its value is the next one.
fn stash_at(slot: u32) -> At { return offset(block_at(sizes.buckets + slot / 4u, 8u), slot % 4u * 2u); }
