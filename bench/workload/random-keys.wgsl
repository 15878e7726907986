// Keys `first` … `first + n - 1` of the data set "random": the mirror of datasets/random.ts, one lane a key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::DELETED;

struct Parameters { n: u32, first: u32, k0: u32, k1: u32, k2: u32 }
@group(0) @binding(0) var<storage, read_write> keys: array<u32>;
@group(0) @binding(1) var<uniform> p: Parameters;

// A bijection on all words but the two reserved keys: cycle-walking, at most three steps as there are two reserved keys.
fn key_of(i: u32) -> u32 {
  var x = i;
  for (var step = 0u; step < 3u; step++) {
    x = x + p.k0;
    x = (x ^ (x >> 16u)) * 0x21f0aaadu;
    x = x ^ p.k1;
    x = (x ^ (x >> 15u)) * 0x735a2d97u;
    x = (x ^ (x >> 15u)) + p.k2;
    if (x < DELETED) { break; }
  }
  return x;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < p.n) { keys[i] = key_of(p.first + i); }
}
