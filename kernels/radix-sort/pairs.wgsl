// Input of a pass of the sort.

struct Pass {
  n: u32,
  tiles: u32,
  // The digit is (key >> shift) & mask.
  shift: u32,
  mask: u32,
  // The word where row 0 of the pass begins.
  rows: u32,
}
@group(0) @binding(0) var<storage, read> keys_in: array<u32>;
@group(0) @binding(5) var<uniform> sort: Pass;

fn digit_of(key: u32) -> u32 { return (key >> sort.shift) & sort.mask; }
