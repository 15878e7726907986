// Stadium hashing with collaborative lanes (clStash), Fig. 12. The warps share the input, WARP pairs each at a time, until it
// ends. In every turn of a warp all its lanes have a pair to try one slot for: a fresh one, or one that failed before and
// waited in the warp's store. When the failures would no longer fit in the store, the lanes that succeeded fetch from it
// instead of from the input.
//   REHASH  the step from slot to slot is hashed anew in every turn (line 17); else once, when a pair first waits
//
// Layout: board and table as in insert.wgsl; the store in store.wgsl.
// Bounds: sizes.slots tries a pair; the loops of the warp end with its jobs' tries.
import package::kernels::common::range::Range;
import package::kernels::common::reach::extend_reach;
import package::kernels::common::records::Key;
import package::kernels::common::warp::{warp_lane, warp_ballot, prefix_count, warp_sync, warp_base, WARP, WARP_GROUP};
import package::kernels::stash::board::book;
import package::kernels::stash::hash::{first_slot, slot_step, next_slot, sizes};
import package::kernels::stash::settle::{has_pair, settle, rest_at};
import package::kernels::stash::store::{Job, status, store_clear, push, pop};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_rmw, count_once, count_region, PROLOGUE, PROBE, CLAIM, NEXT, STEP, FETCH, EPILOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@group(0) @binding(5) var<storage, read> keys: array<Key>;
@group(0) @binding(7) var<uniform> range: Range;

// One try. Returns whether the lane is done with its job: it got a slot, or it has seen all of them.
fn try_seat(job: Job) -> bool {
  @if(COUNT) count_rmw();
  if (!book(job.slot)) {
    if (job.tries < sizes.slots) { return false; }
    atomicAdd(&status.refused, 1u);
    return true;
  }
  @if(COUNT) count_region(CLAIM);
  settle(job.slot, job.key, job.rest);
  extend_reach(job.tries);
  return true;
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  @if(COUNT) count_begin(lid);
  // The warp's part of the store.
  let base = warp_base(lid);
  let lanes = nwg.x * nwg.y * WARP_GROUP;
  store_clear(lid);
  workgroupBarrier();

  var waiting = 0u;
  for (var first = range.first + group * WARP_GROUP + base; first < range.end; first += lanes) {
    let item = first + lane;
    var job: Job;
    // No job: past the end of the input, or a reserved key or value.
    var done = true;
    @if(COUNT) count_turn(item < range.end);
    @if(COUNT) count_region(PROLOGUE);
    if (item < range.end) {
      let key = keys[item];
      if (has_pair(key, item)) {
        job = Job(key, rest_at(item), first_slot(key), 0u, 1u);
        done = try_seat(job);
        @if(!REHASH) {
          if (!done) {
            @if(COUNT) count_region(STEP);
            job.step = slot_step(key);
          }
        }
      } else {
        atomicAdd(&status.refused, 1u);
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
        @if(COUNT) count_region(FETCH);
        job = pop(base + waiting - 1u - prefix_count(~failed, lane));
      }
      waiting -= idle;
      @if(COUNT && REHASH) count_region(STEP);
      @if(REHASH) job.step = slot_step(job.key);
      job.slot = next_slot(job.slot, job.step);
      job.tries += 1u;
      done = try_seat(job);
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
  if (!done) {
    @if(COUNT) count_once(FETCH);
    job = pop(base + lane);
  }
  var left = warp_ballot(!done, lane);
  while (left != 0u) {
    @if(COUNT) count_turn(!done);
    if (!done) {
      @if(COUNT) count_region(NEXT);
      @if(REHASH) job.step = slot_step(job.key);
      job.slot = next_slot(job.slot, job.step);
      job.tries += 1u;
      done = try_seat(job);
    }
    left = warp_ballot(!done, lane);
  }
  @if(COUNT) count_flush(group, lid, range.first + group * WARP_GROUP + lid < range.end);
}
