// Cuckoo hashing of one bucket's keys by one workgroup, in workgroup memory. In every step the keys without a slot are all
// written to their slots of the step's sub-table. A key that is not there after a barrier, because another one was written over it, has no slot
// and goes on to the next sub-table. Three steps are a round. Where the rounds do not suffice, all keys
// start again with another seed.
//
// Slots hold keys, so equal keys share a slot: they write the same word to the same places at the same time. Which of
// several keys stays in a slot differs from device to device; at the end every key is in one of its places.
// Bounds (those of 2009): TRIES seeds, ROUNDS rounds a seed.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::hash::mix32;
import package::kernels::common::keys::EMPTY;
import package::kernels::two_level::buckets::{places_of, BUCKET_SLOTS, SUB_TABLES};
@if(COUNT) import package::kernels::common::count::{count_turn, count_region, PROBE};

const TRIES = 25u;
const ROUNDS = 25u;
// Keys of a lane, at most.
const LANE_KEYS = 2u;
const BUCKET_KEYS = LANE_KEYS * WORKGROUP;

// The keys, after place_keys: EMPTY where there is none.
var<workgroup> slots: array<atomic<u32>, BUCKET_SLOTS>;
// Whether a key was without a slot after the round.
var<workgroup> unplaced: array<atomic<u32>, ROUNDS>;

struct Placement {
  placed: bool,
  seed: u32,
}

// Places the keys of all lanes, EMPTY being none. Called by all lanes of the workgroup, in uniform control flow, once.
fn place_keys(keys: array<u32, LANE_KEYS>, draw: u32, lid: u32) -> Placement {
  for (var try_number = 0u; try_number < TRIES; try_number++) {
    for (var slot = lid; slot < BUCKET_SLOTS; slot += WORKGROUP) { atomicStore(&slots[slot], EMPTY); }
    if (lid < ROUNDS) { atomicStore(&unplaced[lid], 0u); }
    workgroupBarrier();
    let seed = mix32(draw + try_number);
    if (placed_by(keys, seed, lid)) { return Placement(true, seed); }
  }
  return Placement(false, 0u);
}

fn placed_by(keys: array<u32, LANE_KEYS>, seed: u32, lid: u32) -> bool {
  var own = keys;
  var places: array<vec3u, LANE_KEYS>;
  // The sub-table that has the key, or had it last.
  var sub_table: array<u32, LANE_KEYS>;
  var homeless: array<bool, LANE_KEYS>;
  for (var i = 0u; i < LANE_KEYS; i++) {
    places[i] = places_of(own[i], seed);
    sub_table[i] = SUB_TABLES;
    homeless[i] = own[i] != EMPTY;
  }
  for (var round = 0u; round < ROUNDS; round++) {
    for (var sub = 0u; sub < SUB_TABLES; sub++) {
      for (var i = 0u; i < LANE_KEYS; i++) {
        @if(COUNT) count_turn(homeless[i]);
        if (homeless[i]) {
          @if(COUNT) count_region(PROBE);
          atomicStore(&slots[places[i][sub]], own[i]);
          sub_table[i] = sub;
        }
      }
      workgroupBarrier();
      // The next write to this sub-table is two barriers away.
      for (var i = 0u; i < LANE_KEYS; i++) {
        if (sub_table[i] == sub) { homeless[i] = atomicLoad(&slots[places[i][sub]]) != own[i]; }
      }
    }
    if (homeless[0] || homeless[1]) { atomicStore(&unplaced[round], 1u); }
    if (workgroupUniformLoad(&unplaced[round]) == 0u) { return true; }
  }
  return false;
}

// The place in which place_keys put the key.
fn place_of(key: u32, seed: u32) -> u32 {
  let places = places_of(key, seed);
  if (atomicLoad(&slots[places.x]) == key) { return places.x; }
  if (atomicLoad(&slots[places.y]) == key) { return places.y; }
  return places.z;
}
