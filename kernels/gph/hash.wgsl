// GPH: where the one bucket of a key is (Cao et al., SIGMOD 2025, section 4.2).
//
//   cell i = Hc(k)                           one of `cells`; cell i holds (mapping Φ, offset Δ)
//   virtual bucket j = Hv(k, Φ)              one of R
//   bucket V = Hb(i, (j + Δ) mod R, Φ)       one of `buckets`, M slots each
//
// Hash functions (section 7.1): H(k1, …, kn) = H0(H1(k1) + … + Hn(kn)), each the finaliser of MurmurHash3 with its own seed.
//
// Layout of the cell index: CELL_BITS a cell, several in a word; the low log2(R) bits of a cell are Δ, the others Φ.
// Layout of a bucket: words 2s and 2s + 1 are key and value of slot s, so that a vec4 is two slots; WIDE: 4s, and the three
// words after it, so that it is one; KEYS_ONLY: word s.
import package::kernels::common::hash::mix32;
import package::kernels::gph::pair::STRIDE;

struct Sizes { cells: u32, buckets: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

// Virtual buckets of a cell, a power of two.
override R: u32 = 8u;
// Slots of a bucket: 4, 8, 16 or 32.
override M: u32 = 16u;
// 32-byte sectors of a bucket, that it has a part of.
override SECTORS: u32 = max(1u, M * STRIDE / 8u);
// 8 or 16.
override CELL_BITS: u32 = 8u;

// Without perfect hashing (PERFECT false): a key is in one of two buckets, as in DyCuckoo, and there are no cells.
@if(!PERFECT) fn first_bucket(key: u32) -> u32 { return seeded(seeded(key, 0x9e3779b9u), 0x7f4a7c15u) % sizes.buckets; }
@if(!PERFECT) fn second_bucket(key: u32) -> u32 { return seeded(seeded(key, 0xb5297a4du), 0x1b56c4e9u) % sizes.buckets; }

fn seeded(x: u32, salt: u32) -> u32 { return mix32(x ^ sizes.seed ^ salt); }

fn cell_of(key: u32) -> u32 { return seeded(seeded(key, 0x9e3779b9u), 0x7f4a7c15u) % sizes.cells; }
fn virtual_bucket(key: u32, mapping: u32) -> u32 {
  return seeded(seeded(key, 0xb5297a4du) + seeded(mapping, 0x68e31da4u), 0x1b56c4e9u) & (R - 1u);
}
fn bucket_of(cell: u32, virtual_id: u32, mapping: u32) -> u32 {
  let sum = seeded(cell, 0xc2b2ae3du) + seeded(virtual_id, 0x27d4eb2fu) + seeded(mapping, 0x165667b1u);
  return seeded(sum, 0xd6e8feb8u) % sizes.buckets;
}

// The word of the cell index that has a cell, and where in it.
fn cell_word(cell: u32) -> u32 { return cell / (32u / CELL_BITS); }
fn cell_shift(cell: u32) -> u32 { return cell % (32u / CELL_BITS) * CELL_BITS; }
fn cell_in(word: u32, cell: u32) -> u32 { return (word >> cell_shift(cell)) & ((1u << CELL_BITS) - 1u); }
fn mapping_of(content: u32) -> u32 { return content / R; }
fn offset_of(content: u32) -> u32 { return content & (R - 1u); }

// The bucket of a key whose cell holds `content`.
fn bucket_by(key: u32, cell: u32, content: u32) -> u32 {
  let mapping = mapping_of(content);
  return bucket_of(cell, (virtual_bucket(key, mapping) + offset_of(content)) & (R - 1u), mapping);
}
