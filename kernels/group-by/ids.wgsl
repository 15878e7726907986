// Ids of keys by a sort: rows in the order of their keys, and a prefix sum over where runs of a key end, which is the number of runs before each
// row. `mark_ends` and `tell_rows`, a lane a row.
import package::kernels::common::grid::{grid, WORKGROUP};

@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> sorted_keys: array<u32>;
@group(0) @binding(2) var<storage, read> sorted_rows: array<u32>;
// One more than rows.
@group(0) @binding(3) var<storage, read_write> ranks: array<u32>;
@group(0) @binding(4) var<storage, read_write> ids: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn mark_ends(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row > n) { return; }
  var ends = row + 1u == n;
  if (row + 1u < n) { ends = sorted_keys[row] != sorted_keys[row + 1u]; }
  ranks[row] = u32(ends);
}

@compute @workgroup_size(WORKGROUP)
fn tell_rows(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row < n) { ids[sorted_rows[row]] = ranks[row]; }
}
