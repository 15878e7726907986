// Words that mark erased pairs. One lane a word.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::DELETED;

@group(0) @binding(0) var<storage, read> table: array<u32>;
@group(0) @binding(1) var<storage, read_write> marked: atomic<u32>;
@group(0) @binding(2) var<uniform> words: u32;
var<workgroup> own: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < words) { if (table[i] == DELETED) { atomicAdd(&own, 1u); } }
  workgroupBarrier();
  if (lid == 0u && atomicLoad(&own) > 0u) { atomicAdd(&marked, atomicLoad(&own)); }
}
