// A seeded permutation of 0 … count - 1, one element at a time: invertible rounds on the next power of two, walked along
// its cycle until the result is in range (fewer than two rounds on average, as the range fills more than half).

// `bits` >= 1 and 2^(bits-1) < count <= 2^bits.
fn shuffled(i: u32, count: u32, bits: u32, seed: u32) -> u32 {
  let mask = 0xffffffffu >> (32u - bits);
  let half = (bits + 1u) / 2u;
  var x = i;
  // Every cycle has an element below count, so the walk ends; the bound is the length no cycle can exceed.
  for (var walked = 0u; walked <= mask; walked++) {
    for (var round = 0u; round < 3u; round++) {
      x = (x * 0x9e3779b1u + (seed ^ (round * 0x85ebca6bu))) & mask;
      x = x ^ (x >> half);
      x = (x * 0x2c1b3c6du) & mask;
      x = x ^ (x >> max(1u, half - 1u));
    }
    if (x < count) { break; }
  }
  return x;
}
