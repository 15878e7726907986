// Keys of the data set "random": the mirror of datasets/random.ts.
import package::kernels::common::keys::DELETED;

// A bijection on all words but the two reserved keys: cycle-walking, at most three steps as there are two reserved keys.
// constants: those of keyConstants.
fn key_of(i: u32, constants: vec3u) -> u32 {
  var x = i;
  for (var step = 0u; step < 3u; step++) {
    x = x + constants.x;
    x = (x ^ (x >> 16u)) * 0x21f0aaadu;
    x = x ^ constants.y;
    x = (x ^ (x >> 15u)) * 0x735a2d97u;
    x = (x ^ (x >> 15u)) + constants.z;
    if (x < DELETED) { break; }
  }
  return x;
}
