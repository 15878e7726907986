// Bucketed table, a pair of a partitioned build (kernels/partitioned/build.wgsl): as insert.wgsl does it, on the buckets of
// a part in workgroup memory.
// Bounds: NEAR buckets after the first, four slots each, TRIES CASes a slot.
import package::kernels::common::hash::unmix32;
import package::kernels::common::keys::EMPTY;
import package::kernels::bucketed::layout::{bucket_of, near_bucket, slot_of, sizes, NEAR};
import package::kernels::partitioned::image::image;

// A CAS may fail for no reason.
const TRIES = 32u;

// What the slot holds now: the key, another one, or EMPTY where no CAS succeeded.
fn claim(at: u32, key: u32) -> u32 {
  var seen = atomicLoad(&image[at]);
  for (var attempt = 0u; attempt < TRIES && seen == EMPTY; attempt++) {
    let got = atomicCompareExchangeWeak(&image[at], EMPTY, key);
    if (got.exchanged) { return key; }
    seen = got.old_value;
  }
  return seen;
}

fn prepare(lid: u32) {}

// Whether the pair has a slot of its first bucket or a near one now. The part begins with bucket `first`.
fn place(hash: u32, first: u32, value: u32) -> bool {
  let key = unmix32(hash) ^ sizes.seed;
  var bucket = bucket_of(hash);
  for (var probe = 0u; probe <= NEAR; probe++) {
    for (var i = 0u; i < 4u; i++) {
      let at = 8u * (bucket - first) + ((slot_of(hash) + i) & 3u);
      let held = claim(at, key);
      if (held == key) {
        atomicStore(&image[at + 4u], value);
        return true;
      }
      if (held == EMPTY) { return false; }
    }
    bucket = near_bucket(hash, probe);
  }
  return false;
}

// No key is there twice.
fn settle(bucket: u32) {}
