// Bucketed table, a pair of a partitioned build (kernels/partitioned/build.wgsl), on the buckets of a part in workgroup memory.
// A counter a bucket says how many pairs came before, and so the slot; `settle` puts a bucket's pairs into the order in which
// insert.wgsl would have. What a bucket has no room for goes to the key's next one in the next phase, if its key is not there.
//
// Until a bucket is settled its slots hold hashes, and those beyond its counter nothing.
import package::kernels::common::hash::unmix32;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::bucketed::layout::{bucket_of, near_bucket, slot_of, sizes, NEAR};
import package::kernels::partitioned::image::{image, ask, asked_for, four_words, STRIDE};

const PHASES = 1u + NEAR;
// Every bucket is put into order.
const SETTLES_ALL = true;
const SLOTS = 4u;
const ALL_SLOTS = (1u << SLOTS) - 1u;

// The bucket that the key comes to in that phase.
fn bucket_in(phase: u32, hash: u32) -> u32 {
  if (phase == 0u) { return bucket_of(hash); }
  return near_bucket(hash, phase - 1u);
}

fn put(bucket: u32, slot: u32, key: u32, value: u32) {
  atomicStore(&image[STRIDE * bucket + slot], key);
  atomicStore(&image[STRIDE * bucket + SLOTS + slot], value);
}

// Asks for a place in the key's first bucket. The part begins with bucket `first`.
fn ask_first(hash: u32, first: u32) -> u32 { return ask(bucket_of(hash) - first); }

// Whether the pair has a slot of its first bucket now; `asked` is what ask_first said.
fn place_first(hash: u32, first: u32, value: u32, asked: u32) -> bool {
  if (asked >= SLOTS) { return false; }
  put(bucket_of(hash) - first, asked, hash, value);
  return true;
}

// Whether the pair's key is in the part now; after a barrier.
fn place_next(phase: u32, hash: u32, first: u32, value: u32) -> bool {
  // The bucket before is full since the last phase.
  if (any(four_words(bucket_in(phase - 1u, hash) - first, 0u) == vec4u(hash))) { return true; }
  let bucket = near_bucket(hash, phase - 1u) - first;
  let slot = ask(bucket);
  if (slot >= SLOTS) { return false; }
  put(bucket, slot, hash, value);
  return true;
}

fn unsettled(bucket: u32) -> bool { return false; }

// The first slot from `start` on, round the bucket, that is not among those taken, a bit each.
fn free_slot(taken: u32, start: u32) -> u32 {
  let free = ~taken & ALL_SLOTS;
  return (start + countTrailingZeros((free | (free << SLOTS)) >> start)) % SLOTS;
}

// Slot `i` of a bucket that so many pairs asked for: where its pair goes, if it stays. `again`: one before has its key.
fn settle_slot(bucket: u32, i: u32, hash: u32, value: u32, again: bool, count: u32, taken: u32) -> u32 {
  let full = count > SLOTS;
  if (i >= count || (again && !full)) { return taken; }
  let slot = select(free_slot(taken, slot_of(hash)), i, full);
  put(bucket, slot, select(unmix32(hash) ^ sizes.seed, DELETED, again), value);
  return taken | (1u << slot);
}

// After a barrier: of slots with one key all but the first are given up. Of a bucket that turned
// pairs away, these become DELETED, so that searches go on behind it; in another one, each key goes to the first slot, from its
// own on, that no key before it has.
fn settle(bucket: u32) {
  let h = four_words(bucket, 0u);
  let v = four_words(bucket, SLOTS);
  let count = asked_for(bucket);
  var taken = settle_slot(bucket, 0u, h.x, v.x, false, count, 0u);
  taken = settle_slot(bucket, 1u, h.y, v.y, h.y == h.x, count, taken);
  taken = settle_slot(bucket, 2u, h.z, v.z, h.z == h.x || h.z == h.y, count, taken);
  taken = settle_slot(bucket, 3u, h.w, v.w, any(h.xyz == h.www), count, taken);
  for (var slot = 0u; slot < SLOTS; slot++) {
    if (((taken >> slot) & 1u) == 0u) { put(bucket, slot, EMPTY, EMPTY); }
  }
}
