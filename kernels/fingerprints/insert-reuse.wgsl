// Fingerprints, insert (our own table; no paper). One lane a pair: it claims the first slot of the key's buckets whose fingerprint is FREE
// or ERASED, by a CAS of the fingerprint's word, and writes the pair by one store. It does not look for its key, which is not to be there.
//
// Layout: as in find.wgsl. No slot becomes free in this dispatch.
// Bounds: most_probes() buckets, WORDS words a bucket, TRIES a word: PER slots are claimed, and CASes may fail for no reason.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32b;
import package::kernels::common::keys::is_pair;
import package::kernels::common::parts::put_part;
import package::kernels::common::passes::is_served;
import package::kernels::common::range::Range;
import package::kernels::common::reach::extend_reach;
import package::kernels::common::status::Status;
import package::kernels::bucketed::layout::{first_bucket, bucket_after, most_probes};
import package::kernels::fingerprints::index::{index, hash_of, fingerprint_of, slot_of, BITS, ERASED, FREE, PER, SLOTS, WORDS};
@if(COUNT) import package::kernels::common::count::{count_step, count_index_read, count_write, count_rmw, count_failed_cas, count_once, count_region, PROLOGUE, NEXT, CLAIM, EPILOGUE, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

const TRIES = 32u;

// The place in a word of a fingerprint that a key may take; PER if there is none.
fn free_part(word: u32) -> u32 {
  var part = 0u;
  while (part < PER && ((word >> (part * BITS)) & FREE) < ERASED) { part++; }
  return part;
}

// The slot of the bucket that now has the fingerprint; SLOTS if none was free.
fn claim(bucket: u32, fingerprint: u32, start: u32) -> u32 {
  for (var i = 0u; i < WORDS; i++) {
    let word = (start + i) % WORDS;
    let at = bucket * WORDS + word;
    @if(COUNT) count_index_read();
    var seen = atomicLoad(&index[at]);
    for (var tries = 0u; tries < TRIES; tries++) {
      let part = free_part(seen);
      if (part == PER) { break; }
      @if(COUNT) count_region(CLAIM);
      @if(COUNT) count_rmw();
      let shift = part * BITS;
      let got = atomicCompareExchangeWeak(&index[at], seen, (seen & ~(FREE << shift)) | (fingerprint << shift));
      if (got.exchanged) { return slot_of(word, part); }
      @if(COUNT) count_failed_cas();
      seen = got.old_value;
    }
  }
  return SLOTS;
}

fn insert(key: u32, value: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (!is_pair(key, value)) { return false; }
  let fingerprint = fingerprint_of(key);
  // Keys of one bucket begin at different words.
  let start = mix32b(key);
  var bucket = first_bucket(key);
  for (var probe = 0u; probe < most_probes(); probe++) {
    @if(COUNT) count_step();
    let slot = claim(bucket, fingerprint, start % WORDS);
    if (slot < SLOTS) {
      @if(COUNT) count_region(EPILOGUE);
      @if(COUNT) count_write();
      put_part(offset(block_at(bucket, SLOTS), slot), vec2u(key, value));
      extend_reach(probe + 1u);
      return true;
    }
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
    if (has_item && !insert(key, values[item])) { atomicAdd(&status.refused, 1u); }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
