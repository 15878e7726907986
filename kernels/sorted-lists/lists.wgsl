// Lists of the different keys of a sorted array (Alcantara et al., GPU Computing Gems 2011, 4.4, Algorithm 1, lines 2 to 5).
// One lane a place of the array in `mark` and `gather`, one a key in `inform`.
//
// Layout: marks[i] = 1 where a key begins, and one word more, 0; after their prefix sum the number of keys that begin before
// place i. list[id] = key; starts[id] = its first place, and one word more, the end of the last key; info[id] = (first
// place, places). Condition RANGES: with starts and info.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::DELETED;
import package::kernels::common::status::Status;

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> marks: array<u32>;
@group(0) @binding(2) var<uniform> n: u32;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> info: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> status: Status;

// EMPTY and DELETED are the largest words, and so at the array's end.
fn is_key(i: u32) -> bool { return i < n && keys[i] < DELETED; }

@compute @workgroup_size(WORKGROUP)
fn mark(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i > n) { return; }
  var begins = is_key(i);
  if (begins && i > 0u) { begins = keys[i - 1u] != keys[i]; }
  marks[i] = u32(begins);
}

@compute @workgroup_size(WORKGROUP)
fn gather(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i > n) { return; }
  let id = marks[i];
  if (!is_key(i)) {
    if (i == 0u || is_key(i - 1u)) {
      @if(RANGES) starts[id] = i;
      atomicStore(&status.refused, n - i);
      atomicStore(&status.distinct, id);
    }
  } else if (marks[i + 1u] != id) {
    list[id] = keys[i];
    @if(RANGES) starts[id] = i;
  }
}

@compute @workgroup_size(WORKGROUP)
fn inform(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let id = grid(wid, nwg, lid).index;
  if (id < marks[n]) { info[id] = vec2u(starts[id], starts[id + 1u] - starts[id]); }
}
