// Bucketed table, find (our own baseline; no paper). One lane a query: both halves of the 32-byte bucket are loaded
// together (two vec4 loads in one sector), compared at once.
//
// Layout: a bucket is a vec4 of keys and a vec4 of their values. A key goes on to the next bucket only past one that
// is full, and slots never become EMPTY again: an EMPTY anywhere in the bucket ends the search.
// Bound of the probe loop: most_probes().
import package::kernels::common::banks::block_at;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::parts::two_at;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::bucketed::layout::{first_bucket, bucket_after, most_probes};
import package::kernels::common::range::Range;
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, NEXT, CLAIM, count_flush};

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;

fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  var bucket = first_bucket(key);
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < most_probes(); probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let halves = two_at(block_at(bucket, 2u));
    let keys = halves.first;
    let values = halves.second;
    let hit = keys == vec4u(key);
    if (any(hit)) {
      @if(COUNT) count_region(CLAIM);
      return select(select(select(values.w, values.z, hit.z), values.y, hit.y), values.x, hit.x);
    }
    if (any(keys == vec4u(EMPTY))) { return EMPTY; }
    @if(COUNT) count_region(NEXT);
    bucket = bucket_after(probe, bucket, key);
  }
  return EMPTY;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) { results[item] = find(queries[item]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
