// TITLE, insert. One lane a pair: the key is put by a CAS into the first EMPTY slot of its search, then the value is stored. A key that is
// there already gets the new value. Layout: layout.wgsl. Bound of the loop: sizes.slots probes.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, is_pair};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import super::layout::{first_slot, next_slot, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_rmw, count_write, count_flush};

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

// Whether the pair has a slot.
fn insert(key: u32, value: u32) -> bool {
  // Two keys mean something in a slot, and one value in an answer.
  if (!is_pair(key, value)) { return false; }
  var slot = first_slot(key);
  for (var probe = 0u; probe < sizes.slots; ) {
    @if(COUNT) count_step();
    @if(COUNT) count_rmw();
    let got = atomicCompareExchangeWeak(&table[2u * slot], EMPTY, key);
    if (got.exchanged || got.old_value == key) {
      @if(COUNT) count_write();
      atomicStore(&table[2u * slot + 1u], value);
      return true;
    }
    // A CAS may fail for no reason: the same slot again.
    if (got.old_value == EMPTY) { continue; }
    slot = next_slot(slot);
    probe++;
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && !insert(keys[item], values[item])) { atomicAdd(&status.refused, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
