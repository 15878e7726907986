// Bucketed table, a pair of a partitioned build (kernels/partitioned/image.wgsl): as insert.wgsl does it, on the buckets of
// a part in workgroup memory. Pairs whose first bucket is full are left over.
// Bounds: four slots, TRIES CASes each.
import package::kernels::common::hash::unmix32;
import package::kernels::common::keys::EMPTY;
import package::kernels::bucketed::layout::{bucket_of, slot_of};
import package::kernels::partitioned::image::{hashes, values, plan, image, Part};

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

// Whether the pair has a slot of its first bucket now.
fn place(part: Part, pair: u32) -> bool {
  let hash = hashes[pair];
  let value = values[pair];
  let local = bucket_of(hash) - part.bucket;
  if (local >= part.buckets) { return false; }
  let key = unmix32(hash) ^ plan.seed;
  for (var i = 0u; i < 4u; i++) {
    let at = 8u * local + ((slot_of(hash) + i) & 3u);
    let held = claim(at, key);
    if (held == key) {
      atomicStore(&image[at + 4u], value);
      return true;
    }
    if (held == EMPTY) { return false; }
  }
  return false;
}
