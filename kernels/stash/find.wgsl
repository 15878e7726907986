// Stadium hashing, retrieval, Figs. 9 and 10. One lane a query, one ticket a probe, and three levels of certitude:
// availability, info bits, the key in the table.
//
// Layout: as in insert.wgsl.  Conditions: BOARD, ask the ticket-board at all (without it every probe reads the table, Fig. 18);
// ERASED and PASSED as in board.wgsl; ASKS, with ERASED: where `erasures` is 0 no key was erased, and a free ticket ends a search.
// Bound of the probe loop: sizes.slots; with ERASED, the longest insertion.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::records::{Key, Value, is_key, no_value};
@if(BOARD) import package::kernels::stash::board::{ticket_at, is_free, may_hold, ends};
import package::kernels::stash::hash::{first_slot, slot_step, next_slot, info_of, sizes};
import package::kernels::stash::table::{look, OTHER, FOUND};
@if(COUNT) import package::kernels::common::count::{count_step, count_index_read, count_once, count_region, PROLOGUE, CLAIM, NEXT, count_flush};

@group(0) @binding(5) var<storage, read> keys: array<Key>;
@group(0) @binding(6) var<storage, read_write> results: array<Value>;
@group(0) @binding(7) var<uniform> range: Range;
@if(ERASED) @group(0) @binding(9) var<storage, read> longest_probe: u32;
@if(ASKS) @group(0) @binding(10) var<storage, read> erasures: u32;

fn find(key: Key) -> Value {
  @if(COUNT) count_once(PROLOGUE);
  var value = no_value();
  if (!is_key(key)) { return value; }
  var slot = first_slot(key);
  let step = slot_step(key);
  @if(BOARD) let info = info_of(key);
  @if(ERASED) let bound = longest_probe;
  @else let bound = sizes.slots;
  for (var probe = 1u; probe <= bound; probe++) {
    @if(COUNT) count_step();
    @if(BOARD) {
      @if(COUNT) count_index_read();
      let ticket = ticket_at(slot);
      if (!is_free(ticket) && may_hold(ticket, info)) {
        @if(COUNT) count_region(CLAIM);
        if (look(slot, key, &value) == FOUND) { return value; }
      }
      if (ends(ticket)) { return value; }
      @if(ASKS) { if (erasures == 0u && is_free(ticket)) { return value; } }
    }
    @if(!BOARD) {
      if (look(slot, key, &value) != OTHER) { return value; }
    }
    @if(COUNT) count_region(NEXT);
    slot = next_slot(slot, step);
  }
  return value;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) { results[item] = find(keys[item]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
