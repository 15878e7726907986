// Join: numbers 0, 1, 2 … of the rows of the build side, which are partitioned or sorted with their keys. Condition HASHES: and the hashes by
// which they are sorted.
import package::kernels::common::grid::{grid, WORKGROUP};
@if(HASHES) import package::kernels::common::hash::mix32;

@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
@group(0) @binding(1) var<uniform> n: u32;
@if(HASHES) @group(0) @binding(2) var<storage, read> keys: array<u32>;
@if(HASHES) @group(0) @binding(3) var<storage, read_write> hashes: array<u32>;
@if(HASHES) @group(0) @binding(4) var<uniform> seed: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row >= n) { return; }
  numbers[row] = row;
  @if(HASHES) hashes[row] = mix32(keys[row] ^ seed);
}
