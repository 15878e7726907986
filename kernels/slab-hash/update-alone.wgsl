// Slab hash, operations that change it without work sharing, the per-thread processing that the paper compares its own with (Ashkiani et
// al., IPDPS 2018, IV.A): a lane goes down the list of its own operation, a slot a step, and does to it what update.wgsl says.
//
// Slots are read in their order, and none becomes EMPTY again beside insertions that look for their key: the first that a lane sees EMPTY
// is the first of the list, as where a tile reads all of a slab at once.
// Layout: as in slab.wgsl.  Bound of the loop: TURNS.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::warp::{warp_lane, WARP, WARP_GROUP};
import package::kernels::common::words::load_word;
import package::kernels::slab_hash::slab::{word_in, SLOTS, PITCH, NEXT};
import package::kernels::slab_hash::update::{act_on, batch, fetch, finish, other_of, stop_of, Seen, TURNS};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, PROLOGUE, count_flush};

// The slab up to the first slot that ends the operation.
fn seen_in_order(slab: u32, key: u32, other: u32, stop: u32) -> Seen {
  @if(OVERWRITES) var seen = Seen(slab, EMPTY, 0u, 0u, 0u);
  @else var seen = Seen(slab, EMPTY, 0u);
  for (var slot = 0u; slot < SLOTS; slot++) {
    @if(COUNT) count_step();
    @if(COUNT) { if (slot * PITCH % 8u == 0u) { count_read(); } }
    let word = load_word(word_in(slab, slot * PITCH));
    if (word == other || word == stop) {
      seen.slots = 1u << slot;
      @if(OVERWRITES) { if (word == key) { seen.hits = seen.slots; } }
      return seen;
    }
    @if(OVERWRITES) { if (word == DELETED) { seen.spares |= 1u << slot; } }
  }
  seen.next = load_word(word_in(slab, NEXT));
  return seen;
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let item = batch.first + group * WARP_GROUP + lid;
  let warp = (group * WARP_GROUP + lid) / WARP;
  @if(COUNT) count_once(PROLOGUE);
  var op = fetch(item);
  let had_one = op.waits;
  let stop = stop_of(op);
  let other = other_of(op);
  var turn = 0u;
  for (; turn < TURNS && op.waits; turn++) {
    act_on(&op, seen_in_order(op.slab, op.key, other, stop), warp, lane);
  }
  finish(op, item, had_one, turn, lane);
  @if(COUNT) count_flush(group, lid, item < batch.end);
}
