// Join: numbers 0, 1, 2 … of the rows of the build side, which are partitioned with their keys.
import package::kernels::common::grid::{grid, WORKGROUP};

@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
@group(0) @binding(1) var<uniform> n: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row < n) { numbers[row] = row; }
}
