// Bucketed table, a pair of a partitioned build (kernels/partitioned/build.wgsl), on the buckets of a part in workgroup memory.
// A counter a bucket says how many pairs came before, and so the slot; `settle` puts a bucket's pairs into the order in which
// insert.wgsl would have. What a bucket has no room for goes to the key's next one in the next phase, if its key is not there.
import package::kernels::common::hash::{mix32, unmix32};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::bucketed::layout::{bucket_of, near_bucket, slot_of, sizes, NEAR};
import package::kernels::partitioned::image::{image, ask, asked_for, four_words, put_four, STRIDE};

const PHASES = 1u + NEAR;
// Every bucket is put into order.
const SETTLES_ALL = true;
const SLOTS = 4u;

// The bucket that the key comes to in that phase.
fn bucket_in(phase: u32, hash: u32) -> u32 {
  if (phase == 0u) { return bucket_of(hash); }
  return near_bucket(hash, phase - 1u);
}

// Whether the pair's key is in the part now. The part begins with bucket `first`.
fn place(phase: u32, hash: u32, first: u32, value: u32) -> bool {
  let key = unmix32(hash) ^ sizes.seed;
  // The bucket before is full since the last phase.
  if (phase > 0u && any(four_words(bucket_in(phase - 1u, hash) - first, 0u) == vec4u(key))) { return true; }
  let bucket = bucket_in(phase, hash) - first;
  let slot = ask(bucket);
  if (slot >= SLOTS) { return false; }
  atomicStore(&image[STRIDE * bucket + slot], key);
  atomicStore(&image[STRIDE * bucket + SLOTS + slot], value);
  return true;
}

fn unsettled(bucket: u32) -> bool { return false; }

// After a barrier: of slots with one key all but the first are given up. Of a bucket that turned
// pairs away, these become DELETED, so that searches go on behind it; in another one, each key goes to the first slot, from its
// own on, that no key before it has.
fn settle(bucket: u32) {
  let keys = four_words(bucket, 0u);
  let values = four_words(bucket, SLOTS);
  let full = asked_for(bucket) > SLOTS;
  var new_keys = select(vec4u(EMPTY), keys, vec4<bool>(full));
  var new_values = select(vec4u(EMPTY), values, vec4<bool>(full));
  for (var i = 0u; i < SLOTS; i++) {
    let key = keys[i];
    if (key == EMPTY) { continue; }
    let before = vec4u(0u, 1u, 2u, 3u) < vec4u(i);
    if (any((keys == vec4u(key)) & before)) {
      if (full) { new_keys[i] = DELETED; }
    } else if (!full) {
      var slot = slot_of(mix32(key ^ sizes.seed));
      while (new_keys[slot] != EMPTY) { slot = (slot + 1u) % SLOTS; }
      new_keys[slot] = key;
      new_values[slot] = values[i];
    }
  }
  put_four(bucket, 0u, new_keys);
  put_four(bucket, SLOTS, new_values);
}
