// Sorted array: the pairs that are refused. Those with reserved keys, EMPTY or DELETED, the two largest words, are the last of the array, where no
// search looks for them: `main`, after the sort, of one lane, a binary search. `by_value`, before an `lsd` sort: those with another key and a
// reserved value, four pairs a lane. The sort takes them as others, and searches go past them.
// Bounds: 32, for fewer than 2^32 pairs; four pairs.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED, is_pair};
import package::kernels::common::status::Status;

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> pairs: u32;
@group(0) @binding(2) var<storage, read_write> status: Status;
@group(0) @binding(3) var<storage, read> values: array<vec4u>;

@compute @workgroup_size(1)
fn main() {
  var low = 0u;
  var high = pairs;
  for (var probe = 0u; probe < 32u && low < high; probe++) {
    let middle = low + (high - low) / 2u;
    if (keys[middle] < DELETED) { low = middle + 1u; } else { high = middle; }
  }
  atomicAdd(&status.refused, pairs - low);
}

@compute @workgroup_size(WORKGROUP)
fn by_value(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let first = 4u * grid(wid, nwg, lid).index;
  if (first >= pairs) { return; }
  let four = values[first / 4u];
  if (all(four != vec4u(EMPTY))) { return; }
  for (var i = 0u; i < 4u && first + i < pairs; i++) {
    let key = keys[first + i];
    if (key < DELETED && !is_pair(key, four[i])) { atomicAdd(&status.refused, 1u); }
  }
}
