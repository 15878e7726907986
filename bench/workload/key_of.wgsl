// Keys of the data set "random": the mirror of datasets/random.ts.
import package::kernels::common::keys::DELETED;

struct KeyConstants { k0: u32, k1: u32, k2: u32 }

// A bijection on all words but the two reserved keys: cycle-walking, at most three steps as there are two reserved keys.
fn key_of(i: u32, c: KeyConstants) -> u32 {
  var x = i;
  for (var step = 0u; step < 3u; step++) {
    x = x + c.k0;
    x = (x ^ (x >> 16u)) * 0x21f0aaadu;
    x = x ^ c.k1;
    x = (x ^ (x >> 15u)) * 0x735a2d97u;
    x = (x ^ (x >> 15u)) + c.k2;
    if (x < DELETED) { break; }
  }
  return x;
}
