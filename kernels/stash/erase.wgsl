// Stadium hashing, deletion (section III.B): a retrieval that goes on at free tickets, because keys may have been erased
// before them, and then sets the slot's ticket free again. One lane a key; of several lanes with one key, one erases it.
//
// Layout: as in insert.wgsl. The pair stays where it is: no search looks at the slot of a free ticket.
// Bound of the probe loop: the longest insertion.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::records::{Key, is_key, no_value};
import package::kernels::common::status::Status;
import package::kernels::stash::board::{ticket_at, is_free, is_readable, may_hold, ends, lock, release};
import package::kernels::stash::hash::{first_slot, slot_step, next_slot, info_of};
import package::kernels::stash::table::{look, FOUND};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_rmw, count_once, count_region, PROLOGUE, CLAIM, NEXT, count_flush};

@group(0) @binding(5) var<storage, read> keys: array<Key>;
@group(0) @binding(7) var<uniform> range: Range;
@group(0) @binding(8) var<storage, read_write> status: Status;
@group(0) @binding(9) var<storage, read> longest_probe: u32;

fn erase(key: Key) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (!is_key(key)) { return false; }
  var value = no_value();
  var slot = first_slot(key);
  let step = slot_step(key);
  let info = info_of(key);
  for (var probe = 0u; probe < longest_probe; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let ticket = ticket_at(slot);
    if (!is_free(ticket) && may_hold(ticket, info)) {
      @if(COUNT) count_region(CLAIM);
      if (look(slot, key, &value) == FOUND) {
        @if(COUNT) count_rmw();
        @if(ACCESS) {
          @if(COUNT) count_rmw();
          if (!is_readable(lock(slot))) { return false; }
        }
        return release(slot);
      }
    }
    if (ends(ticket)) { return false; }
    @if(COUNT) count_region(NEXT);
    slot = next_slot(slot, step);
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && erase(keys[item])) { atomicAdd(&status.changed, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
