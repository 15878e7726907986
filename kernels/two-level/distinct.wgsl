// Two-level tables of repeated keys, the first part of phase 4: one workgroup a bucket places the bucket's different keys in
// workgroup memory (rounds.wgsl), however many copies of them there are.
//
// A bucket of at most BUCKET_KEYS items gives all of them to place_keys, where equal keys share a slot. The items of a larger
// one first go through a hash set in workgroup memory, in chunks of an item a lane; place_keys gets the set's members. Only if
// there are more than BUCKET_KEYS of those is the bucket overfull.
// Bounds: the set is left once more than BUCKET_KEYS members are seen, and each lane adds one after it looked: at most
// BUCKET_KEYS + WORKGROUP of SET_SLOTS are ever full. The items are walked through once. Else those of rounds.wgsl.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::hash::mix32;
import package::kernels::common::keys::EMPTY;
import package::kernels::common::status::Status;
import package::kernels::two_level::buckets::{parameters, Item};
import package::kernels::two_level::rounds::{place_keys, BUCKET_KEYS, LANE_KEYS, TRIES};
@if(COUNT) import package::kernels::common::count::{count_read, count_write};

// The items of bucket b are those from starts[b] to starts[b + 1].
@group(0) @binding(1) var<storage, read> starts: array<u32>;
// Once a bucket has failed, by too many keys or because no seed was found, nothing more is done.
@group(0) @binding(4) var<storage, read_write> status: Status;
@group(0) @binding(6) var<storage, read> items: array<Item>;
@group(0) @binding(7) var<storage, read_write> seeds: array<u32>;

const SET_SLOTS = 1024u;
var<workgroup> members: array<atomic<u32>, SET_SLOTS>;
// The members in the order in which they came, and their number.
var<workgroup> distinct: array<u32, BUCKET_KEYS>;
var<workgroup> member_count: atomic<u32>;
// Buckets that failed before.
var<workgroup> failures: u32;

struct Bucket {
  // Whether the keys are in their slots; else the attempt has failed.
  placed: bool,
  seed: u32,
  // Its items.
  start: u32,
  count: u32,
}

fn key_at(item: u32) -> u32 {
  // Neighbouring lanes share a sector.
  @if(KEYS_ONLY) {
    @if(COUNT) { if (item % 8u == 0u) { count_read(); } }
    return items[item];
  }
  @if(!KEYS_ONLY) {
    @if(COUNT) { if (item % 4u == 0u) { count_read(); } }
    return items[item].x;
  }
}

// Called by all lanes of the workgroup, in uniform control flow, once.
fn place_distinct(bucket: u32, lid: u32) -> Bucket {
  let start = starts[bucket];
  let count = starts[bucket + 1u] - start;
  if (lid == 0u) { failures = atomicLoad(&status.failed); }
  if (workgroupUniformLoad(&failures) != 0u) { return Bucket(false, 0u, start, count); }
  var keys = array(EMPTY, EMPTY);
  if (count <= BUCKET_KEYS) {
    for (var i = 0u; i < LANE_KEYS; i++) {
      let item = lid + i * WORKGROUP;
      if (item < count) { keys[i] = key_at(start + item); }
    }
  } else {
    let found = collect(start, count, lid);
    if (found > BUCKET_KEYS) {
      if (lid == 0u) { atomicAdd(&status.failed, 1u); }
      return Bucket(false, 0u, start, count);
    }
    for (var i = 0u; i < LANE_KEYS; i++) {
      let member = lid + i * WORKGROUP;
      if (member < found) { keys[i] = distinct[member]; }
    }
  }
  let placement = place_keys(keys, parameters.draw + bucket * TRIES, lid);
  if (lid == 0u) {
    @if(COUNT) count_write();
    seeds[bucket] = placement.seed;
    if (!placement.placed) { atomicAdd(&status.failed, 1u); }
  }
  return Bucket(placement.placed, placement.seed, start, count);
}

// The items' different keys become `distinct`. Returns their number; a number above BUCKET_KEYS stands for any such.
fn collect(start: u32, count: u32, lid: u32) -> u32 {
  for (var slot = lid; slot < SET_SLOTS; slot += WORKGROUP) { atomicStore(&members[slot], EMPTY); }
  workgroupBarrier();
  for (var item = lid; item < count; item += WORKGROUP) {
    if (atomicLoad(&member_count) > BUCKET_KEYS) { break; }
    add(key_at(start + item));
  }
  return workgroupUniformLoad(&member_count);
}

fn add(key: u32) {
  var slot = mix32(key) % SET_SLOTS;
  for (var probe = 0u; probe < SET_SLOTS; probe++) {
    var member = atomicLoad(&members[slot]);
    if (member == EMPTY) {
      let claim = atomicCompareExchangeWeak(&members[slot], EMPTY, key);
      if (claim.exchanged) {
        let number = atomicAdd(&member_count, 1u);
        if (number < BUCKET_KEYS) { distinct[number] = key; }
        return;
      }
      member = claim.old_value;
    }
    if (member == key) { return; }
    // A weak exchange may fail for no reason: then the same slot again.
    if (member != EMPTY) { slot = (slot + 1u) % SET_SLOTS; }
  }
  // The bound is reached: the bucket fails, as its members are not all known.
  atomicMax(&member_count, BUCKET_KEYS + 1u);
}
