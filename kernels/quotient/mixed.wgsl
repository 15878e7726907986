// Quotiented buckets, operations of several kinds (our own table; layout: layout.wgsl). Two dispatches a slice: insertions and
// searches, one lane each, and then, with condition ERASING, its erasures: the lanes of a slice may come in any order, and so no
// slot becomes FREE while insertions look for theirs.
//
// A search beside insertions reads word by word, atomically: first the tags, then the value. A slot that is free has the value
// EMPTY, so that a tag whose value is not stored yet is answered like an absent key. Marks are only ever cleared: a key that was
// there before is never behind one that stands.
// Bounds: those of insert.wgsl and locate.wgsl.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::kinds::{INSERT, FIND, ERASE};
@if(ERASING) import package::kernels::quotient::erase::erase;
@if(!ERASING) import package::kernels::quotient::insert::{insert, status};
@if(!ERASING) import package::kernels::quotient::locate::find;
@if(COUNT) import package::kernels::common::count::count_flush;

// Beside those of insert.wgsl or erase.wgsl: table, and insert's status.
@group(0) @binding(5) var<storage, read> kinds: array<u32>;
@group(0) @binding(6) var<storage, read> keys: array<u32>;
@if(!ERASING) @group(0) @binding(7) var<storage, read> values: array<u32>;
@group(0) @binding(8) var<storage, read_write> results: array<u32>;
// The slice's first operation, and the one after its last.
@group(0) @binding(9) var<uniform> range: Range;

@if(!ERASING) fn operate(item: u32) {
  let key = keys[item];
  if (kinds[item] == FIND) { results[item] = find(key); }
  if (kinds[item] == INSERT) {
    let done = insert(key, values[item]);
    if (!done) { atomicAdd(&status.refused, 1u); }
    results[item] = u32(done);
  }
}
@if(ERASING) fn operate(item: u32) {
  if (kinds[item] == ERASE) { results[item] = u32(erase(keys[item])); }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) { operate(item); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
