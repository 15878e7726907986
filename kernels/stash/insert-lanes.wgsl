// Stadium hashing with collaborative lanes (clStash), Fig. 12. One warp takes BATCHES times WARP pairs of the input. In
// every turn of the warp all its lanes have a pair to try one slot for: a fresh one, or one that failed before and waited in
// the warp's store. When the failures would no longer fit in the store, the lanes that succeeded fetch from it instead of
// from the input.
//
// Layout: board and table as in insert.wgsl. Store of a warp, in workgroup memory: WARP jobs of (item, slot, tries), each
// word EMPTY where there is none. With real subgroups no barrier orders it, so every word says by itself whether it has
// arrived.
// Bounds: sizes.slots tries a pair; the loops of the warp end with its jobs' tries.
import package::kernels::common::keys::EMPTY;
import package::kernels::common::warp::{warp_lane, warp_ballot, prefix_count, warp_sync, warp_base, WARP, WARP_GROUP};
import package::kernels::stash::board::book;
import package::kernels::stash::hash::{first_slot, slot_step, next_slot, sizes};
import package::kernels::stash::records::{Key, is_key};
import package::kernels::stash::settle::settle;
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_rmw, count_once, count_region, PROLOGUE, PROBE, CLAIM, NEXT, STEP, FETCH, WAIT, EPILOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Fresh pairs a lane fetches, at most.
override BATCHES: u32;

@group(0) @binding(5) var<storage, read> keys: array<Key>;
// Pairs range.x … range.y - 1 of the input.
@group(0) @binding(7) var<uniform> range: vec2u;
// [0]: pairs that found no slot.
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>, 4>;
// As in insert.wgsl.
@group(0) @binding(9) var<storage, read_write> longest: atomic<u32>;

struct Job { item: u32, slot: u32, tries: u32 }
var<workgroup> store_items: array<atomic<u32>, WARP_GROUP>;
var<workgroup> store_slots: array<atomic<u32>, WARP_GROUP>;
var<workgroup> store_tries: array<atomic<u32>, WARP_GROUP>;
// Turns that a lane waits for a word another lane of its warp has stored before.
const PATIENCE = 16777216u;

fn push(at: u32, job: Job) {
  atomicStore(&store_items[at], job.item);
  atomicStore(&store_slots[at], job.slot);
  atomicStore(&store_tries[at], job.tries);
}

fn pop(at: u32) -> Job {
  let item = atomicExchange(&store_items[at], EMPTY);
  let slot = atomicExchange(&store_slots[at], EMPTY);
  let tries = atomicExchange(&store_tries[at], EMPTY);
  if (max(item, max(slot, tries)) == EMPTY) {
    @if(COUNT) count_region(WAIT);
    let late = await_word(&store_slots[at], slot);
    return Job(await_word(&store_items[at], item), late, await_word(&store_tries[at], tries));
  }
  return Job(item, slot, tries);
}
fn await_word(word: ptr<workgroup, atomic<u32>>, seen: u32) -> u32 {
  var got = seen;
  for (var turn = 0u; turn < PATIENCE && got == EMPTY; turn++) { got = atomicExchange(word, EMPTY); }
  if (got == EMPTY) { atomicAdd(&status[2], 1u); }
  return got;
}

// One try. Returns whether the lane is done with its job: it got a slot, or it has seen all of them.
fn try_seat(key: Key, job: Job) -> bool {
  @if(COUNT) count_rmw();
  if (!book(job.slot)) {
    if (job.tries < sizes.slots) { return false; }
    atomicAdd(&status[0], 1u);
    return true;
  }
  @if(COUNT) count_region(CLAIM);
  settle(job.slot, key, job.item);
  if (job.tries > atomicLoad(&longest)) { atomicMax(&longest, job.tries); }
  return true;
}

fn rehash(key: Key, job: Job) -> Job {
  return Job(job.item, next_slot(job.slot, slot_step(key)), job.tries + 1u);
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  @if(COUNT) count_begin(lid);
  // The warp's part of the store.
  let base = warp_base(lid);
  let first = range.x + (group * WARP_GROUP + base) * BATCHES;
  atomicStore(&store_items[lid], EMPTY);
  atomicStore(&store_slots[lid], EMPTY);
  atomicStore(&store_tries[lid], EMPTY);
  workgroupBarrier();

  var waiting = 0u;
  for (var batch = 0u; batch < BATCHES; batch++) {
    let item = first + batch * WARP + lane;
    if (first + batch * WARP >= range.y) { break; }
    var job = Job(item, 0u, 1u);
    var key: Key;
    // No job: past the end of the input, or a reserved key.
    var done = true;
    @if(COUNT) count_turn(item < range.y);
    @if(COUNT) count_region(PROLOGUE);
    if (item < range.y) {
      key = keys[item];
      if (is_key(key)) {
        job.slot = first_slot(key);
        done = try_seat(key, job);
      } else {
        atomicAdd(&status[0], 1u);
      }
    }
    var failed = warp_ballot(!done, lane);
    // Ends: every turn is a try for each of WARP jobs, and a job has sizes.slots at most.
    while (countOneBits(failed) + waiting > WARP) {
      @if(COUNT) count_turn(true);
      @if(COUNT) count_region(PROBE);
      // More jobs wait than lanes are idle, so every idle lane gets one.
      let idle = WARP - countOneBits(failed);
      warp_sync();
      if (done) {
        @if(COUNT) count_region(NEXT);
        job = pop(base + waiting - 1u - prefix_count(~failed, lane));
        key = keys[job.item];
      }
      waiting -= idle;
      job = rehash(key, job);
      done = try_seat(key, job);
      failed = warp_ballot(!done, lane);
    }
    if (!done) {
      @if(COUNT) count_region(EPILOGUE);
      push(base + waiting + prefix_count(failed, lane), job);
    }
    waiting += countOneBits(failed);
    warp_sync();
  }

  // What waits at the end: at most one job a lane.
  var done = lane >= waiting;
  var job: Job;
  var key: Key;
  if (!done) {
    @if(COUNT) count_once(FETCH);
    job = pop(base + lane);
    key = keys[job.item];
  }
  var left = warp_ballot(!done, lane);
  while (left != 0u) {
    @if(COUNT) count_turn(!done);
    if (!done) {
      @if(COUNT) count_region(STEP);
      job = rehash(key, job);
      done = try_seat(key, job);
    }
    left = warp_ballot(!done, lane);
  }
  @if(COUNT) count_flush(group, lid, first + lane < range.y);
}
