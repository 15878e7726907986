// Two-level table, retrieval: one lane a query. The key's bucket, the bucket's seed, then up to three slots, until the key is
// seen. The answer is the slot's value: a word, or, with RANGES, two.
//
// Layout: buckets.wgsl, or, with RANGES, group.wgsl. Bound: three slots.
@if(BANKED) import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
@if(BANKED) import package::kernels::common::parts::part_at;
import package::kernels::common::range::Range;
import package::kernels::two_level::buckets::{bucket_of, places_of, parameters, BUCKET_SLOTS, SUB_TABLES};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_index_read, count_once, PROLOGUE, count_flush};

@if(RANGES) alias Slot = vec4u;
@if(!RANGES) alias Slot = vec2u;
@if(RANGES) alias Found = vec2u;
@if(!RANGES) alias Found = u32;

@if(!BANKED) @group(0) @binding(0) var<storage, read> table: array<Slot>;
@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<Found>;
@group(0) @binding(4) var<uniform> range: Range;
@group(0) @binding(7) var<storage, read> seeds: array<u32>;

fn find(key: u32) -> Found {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return Found(EMPTY); }
  let bucket = bucket_of(key);
  // Not a probe: the seeds are few, and stay in the cache.
  @if(COUNT) count_index_read();
  let places = places_of(key, seeds[bucket]);
  for (var sub = 0u; sub < SUB_TABLES; sub++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    @if(BANKED) let slot = part_at(offset(block_at(bucket, BUCKET_SLOTS), places[sub]));
    @if(!BANKED) let slot = table[bucket * BUCKET_SLOTS + places[sub]];
    @if(RANGES) { if (slot.x == key) { return slot.yz; } }
    @if(!RANGES) { if (slot.x == key) { return slot.y; } }
  }
  return Found(EMPTY);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) { results[item] = find(queries[item]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
