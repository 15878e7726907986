// Stadium hashing (Khorasani et al., PACT 2015), basic insertion, Fig. 6. One lane a pair: it walks the key's slots until
// it has booked a ticket, then writes the ticket's info bits and the pair.
//
// Layout: board = one ticket a slot (board.wgsl); table = one pair a slot (table.wgsl).
// Bound of the probe loop: sizes.slots (a prime: the sequence is then at its start again).
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::reach::extend_reach;
import package::kernels::common::records::Key;
import package::kernels::common::status::Status;
import package::kernels::stash::board::book;
import package::kernels::stash::hash::{first_slot, slot_step, next_slot, sizes};
import package::kernels::stash::settle::{has_pair, settle, rest_at};
@if(COUNT) import package::kernels::common::count::{count_step, count_rmw, count_once, count_region, PROLOGUE, CLAIM, NEXT, STEP, EPILOGUE, count_flush};

@group(0) @binding(5) var<storage, read> keys: array<Key>;
@group(0) @binding(7) var<uniform> range: Range;
@group(0) @binding(8) var<storage, read_write> status: Status;

const NO_SLOT = 0xffffffffu;

fn find_seat(key: Key) -> u32 {
  var slot = first_slot(key);
  var step = 0u;
  for (var probe = 1u; probe <= sizes.slots; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_rmw();
    if (book(slot)) {
      @if(COUNT) count_region(CLAIM);
      extend_reach(probe);
      return slot;
    }
    @if(COUNT) count_region(NEXT);
    if (probe == 1u) {
      @if(COUNT) count_region(STEP);
      step = slot_step(key);
    }
    slot = next_slot(slot, step);
  }
  return NO_SLOT;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) {
    @if(COUNT) count_once(PROLOGUE);
    let key = keys[item];
    var slot = NO_SLOT;
    if (has_pair(key, item)) { slot = find_seat(key); }
    if (slot == NO_SLOT) {
      atomicAdd(&status.refused, 1u);
    } else {
      @if(COUNT) count_once(EPILOGUE);
      settle(slot, key, rest_at(item));
    }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
