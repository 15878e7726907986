// Keys `first` … `first + n - 1` of the data set "random", one lane a key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::bench::workload::key_of::{key_of, KeyConstants};

struct Parameters { n: u32, first: u32, k0: u32, k1: u32, k2: u32 }
@group(0) @binding(0) var<storage, read_write> keys: array<u32>;
@group(0) @binding(1) var<uniform> p: Parameters;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < p.n) { keys[i] = key_of(p.first + i, KeyConstants(p.k0, p.k1, p.k2)); }
}
