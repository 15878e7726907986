// What a pass of the sort reads.
//
// Condition HASHED: it takes the hashes of the keys, which it sorts by and writes in their place.
@if(HASHED) import package::kernels::common::hash::mix32;

struct Pass {
  n: u32,
  tiles: u32,
  // The digit is (key >> shift) & mask.
  shift: u32,
  mask: u32,
  // The word where row 0 of the pass begins.
  rows: u32,
  // Of the hashes.
  seed: u32,
}
@group(0) @binding(0) var<storage, read> keys_in: array<u32>;
@group(0) @binding(5) var<uniform> sort: Pass;

@if(HASHED) fn word_in(at: u32) -> u32 { return mix32(keys_in[at] ^ sort.seed); }
@else fn word_in(at: u32) -> u32 { return keys_in[at]; }
fn digit_of(key: u32) -> u32 { return (key >> sort.shift) & sort.mask; }
