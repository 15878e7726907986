// Bucketed table, a pair of a partitioned build (kernels/partitioned/build.wgsl), on the buckets of a part in workgroup memory.
// A counter a bucket says how many pairs came before, and so the slot; `settle` puts a bucket's pairs into the order in which
// insert.wgsl would have. A pair that its first bucket has no room for, and whose key is not there, goes to the first of the key's next
// buckets that has room. Two pairs with one key may come to two of these; `left_over` finds that afterwards.
//
// Until a bucket is settled its slots hold hashes, and those beyond its counter nothing.  Bound: NEAR buckets.
import package::kernels::common::hash::{mix32, unmix32};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::blocks::{away_in, block_size, near_after};
import package::kernels::bucketed::layout::{drawn_by, slot_of, sizes, NEAR};
import package::kernels::partitioned::image::{image, ask, asked_for, four_words, STRIDE};
import package::kernels::partitioned::parts::in_part;

// Every bucket is put into order.
const SETTLES_ALL = true;
// What the part has no room for was compared with all of its key's buckets there.
const SEARCHED = 1u + NEAR;
const SLOTS = 4u;
const ALL_SLOTS = (1u << SLOTS) - 1u;
// The hash of a slot that is given up: no key has it.
fn no_hash() -> u32 { return mix32(DELETED ^ sizes.seed); }

fn put(bucket: u32, slot: u32, key: u32, value: u32) {
  atomicStore(&image[STRIDE * bucket + slot], key);
  atomicStore(&image[STRIDE * bucket + SLOTS + slot], value);
}

fn place_in(bucket: u32, hash: u32, value: u32) -> bool {
  let slot = ask(bucket);
  if (slot >= SLOTS) { return false; }
  put(bucket, slot, hash, value);
  return true;
}
fn is_in(bucket: u32, hash: u32) -> bool { return any(four_words(bucket, 0u) == vec4u(hash)); }

// Whether the pair has a slot of its first bucket now.
fn place(hash: u32, first: u32, value: u32) -> bool { return place_in(in_part(hash, sizes.buckets), hash, value); }

// After a barrier: the number of the next bucket, from 1 on, in which a pair that its first one turned away has a slot now; 0 if
// the first one has its key, SEARCHED if all were full. The part begins with bucket `first`.
fn place_next(hash: u32, first: u32, value: u32) -> u32 {
  var bucket = in_part(hash, sizes.buckets);
  if (is_in(bucket, hash)) { return 0u; }
  let size = block_size(first + bucket, sizes.buckets);
  let away = away_in(size, drawn_by(hash));
  for (var number = 1u; number <= NEAR; number++) {
    bucket = near_after(number - 1u, bucket, away, size);
    if (place_in(bucket, hash, value)) { return number; }
  }
  return SEARCHED;
}

// After a barrier: whether the pair still has no place. Where another one with its key has come to a bucket before that, its slot is
// given up.
fn left_over(number: u32, hash: u32, first: u32) -> bool {
  var bucket = in_part(hash, sizes.buckets);
  let size = block_size(first + bucket, sizes.buckets);
  let away = away_in(size, drawn_by(hash));
  var again = false;
  for (var before = 1u; before < number; before++) {
    bucket = near_after(before - 1u, bucket, away, size);
    again |= is_in(bucket, hash);
  }
  if (again && number < SEARCHED) { forget(near_after(number - 1u, bucket, away, size), hash); }
  return number == SEARCHED && !again;
}
fn forget(bucket: u32, hash: u32) {
  for (var slot = 0u; slot < SLOTS; slot++) {
    let word = &image[STRIDE * bucket + slot];
    if (atomicLoad(word) == hash) { atomicStore(word, no_hash()); }
  }
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

// After a barrier: of slots with one key all but the first are given up. In a bucket that turned pairs away these become DELETED, so that
// searches go on behind it; in another one each key goes to the first slot, from its own on, that no key before it has.
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
