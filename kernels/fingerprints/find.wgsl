// Fingerprints, find (our own table; no paper). One lane a query: it reads the fingerprints of a bucket in one go, from the device's memory,
// and then the pairs of those slots that have the key's, mostly one of a present key and none of an absent one.
//
// Layout: index.wgsl; beside it the table, a pair a slot, which may be in the host's memory. A key goes on to the next bucket only past one
// without a free slot, and fingerprints never become FREE again: a FREE one ends the search.
// Bounds: the reach; 16 slots a bucket.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::parts::part_at;
import package::kernels::common::passes::is_served;
import package::kernels::common::range::Range;
import package::kernels::bucketed::layout::{first_bucket, bucket_after};
import package::kernels::fingerprints::index::{hash_of, fingerprint_of, fingerprints_in, slots_with, FREE, SLOTS};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, NEXT, CLAIM, count_flush};

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
// The reach, as of reach.wgsl.
@group(0) @binding(9) var<storage, read> longest_probe: u32;

fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  let fingerprint = fingerprint_of(key);
  var bucket = first_bucket(key);
  for (var probe = 0u; probe < longest_probe; probe++) {
    @if(COUNT) count_step();
    let all = fingerprints_in(bucket);
    for (var slots = slots_with(all, fingerprint); slots != 0u; slots &= slots - 1u) {
      @if(COUNT) count_region(CLAIM);
      @if(COUNT) count_read();
      let pair = part_at(offset(block_at(bucket, SLOTS), firstTrailingBit(slots)));
      if (pair.x == key) { return pair.y; }
    }
    if (slots_with(all, FREE) != 0u) { return EMPTY; }
    @if(COUNT) count_region(NEXT);
    bucket = bucket_after(probe, bucket, key);
  }
  return EMPTY;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  var has_item = item < range.end;
  if (has_item) {
    let key = queries[item];
    has_item = is_served(hash_of(key));
    if (has_item) { results[item] = find(key); }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
