// Fingerprints, erase. One lane a key: a search, after which the slot's fingerprint becomes ERASED; the pair stays where it is, as no search
// reads it. Of several lanes with one key, one erases it.
//
// Layout: as in find.wgsl.
// Bounds: as of find.wgsl; at a slot TRIES.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::DELETED;
import package::kernels::common::parts::part_at;
import package::kernels::common::passes::is_served;
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::bucketed::layout::{first_bucket, bucket_after};
import package::kernels::fingerprints::index::{index, hash_of, fingerprint_of, fingerprints_in, slots_with, BITS, ERASED, FREE, PER, SLOTS, WORDS};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_rmw, count_once, count_region, PROLOGUE, NEXT, CLAIM, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;
// The reach, as of reach.wgsl.
@group(0) @binding(9) var<storage, read> longest_probe: u32;

// A word has PER fingerprints, each of which is erased once; the other tries are for CASes that fail for no reason.
const TRIES = 32u;

// Whether this lane has erased the fingerprint.
fn mark(bucket: u32, slot: u32, fingerprint: u32) -> bool {
  let word = slot / (4u * PER) * 4u + slot % 4u;
  let shift = (slot / 4u) % PER * BITS;
  let at = bucket * WORDS + word;
  var seen = atomicLoad(&index[at]);
  for (var tries = 0u; tries < TRIES && ((seen >> shift) & FREE) == fingerprint; tries++) {
    @if(COUNT) count_rmw();
    let got = atomicCompareExchangeWeak(&index[at], seen, (seen & ~(FREE << shift)) | (ERASED << shift));
    if (got.exchanged) { return true; }
    seen = got.old_value;
  }
  return false;
}

fn erase(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  let fingerprint = fingerprint_of(key);
  var bucket = first_bucket(key);
  for (var probe = 0u; probe < longest_probe; probe++) {
    @if(COUNT) count_step();
    let all = fingerprints_in(bucket);
    for (var slots = slots_with(all, fingerprint); slots != 0u; slots &= slots - 1u) {
      @if(COUNT) count_region(CLAIM);
      @if(COUNT) count_read();
      let slot = firstTrailingBit(slots);
      if (part_at(offset(block_at(bucket, SLOTS), slot)).x == key) { return mark(bucket, slot, fingerprint); }
    }
    if (slots_with(all, FREE) != 0u) { return false; }
    @if(COUNT) count_region(NEXT);
    bucket = bucket_after(probe, bucket, key);
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  var has_item = item < range.end;
  if (has_item) {
    let key = keys[item];
    has_item = is_served(hash_of(key));
    if (has_item && erase(key)) { atomicAdd(&status.changed, 1u); }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
