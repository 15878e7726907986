// Cuckoo hashing, the retrievals of a mixed slice: the second of its two kernels (Stadium hashing, PACT 2015, IV.A). One lane
// an operation; the search itself, its layout and its bound are find.wgsl's.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::kinds::FIND;
import package::kernels::common::range::Range;
import package::kernels::cuckoo::find::find;
@if(COUNT) import package::kernels::common::count::count_flush;

// Bindings 0 and 3: find.wgsl's table and hash functions.
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(5) var<storage, read> kinds: array<u32>;
@group(0) @binding(6) var<storage, read_write> results: array<u32>;
@group(0) @binding(7) var<uniform> range: Range;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  var has_item = item < range.end;
  if (has_item) { has_item = kinds[item] == FIND; }
  if (has_item) { results[item] = find(keys[item]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
