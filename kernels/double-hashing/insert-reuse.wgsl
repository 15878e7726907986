// Double hashing with one pair a slot, insert with `reuse`: the slots of erased keys are taken again. One lane a pair. It first
// looks for its key, as far as any key ever got (reach.wgsl), and notes the first free slot, EMPTY or DELETED; then it tries slots from that
// one on, as insert.wgsl does.
//
// No key comes in twice. One that was there before lies within the reach, and no slot before it is EMPTY. Of lanes with one new key each claims
// the first free slot of the same sequence; in an insertion no slot becomes free, so that they meet at one slot.
//
// Layout: as in insert.wgsl.
// Bounds: the reach, then sizes.slots probes; at a slot one CAS and, if it failed for no reason, another.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::reach::{get_reach, extend_reach};
import package::kernels::double_hashing::layout::{first_slot, slot_step, next_slot, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_rmw, count_failed_cas, count_once, count_region, PROLOGUE, NEXT, CLAIM, EPILOGUE, count_flush};

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

// True if the slot's key word now holds `key`.
fn claim(word: u32, key: u32) -> bool {
  @if(COUNT) count_read();
  var seen = atomicLoad(&table[word]);
  for (var attempt = 0u; attempt < 32u && seen >= DELETED; attempt++) {
    @if(COUNT) count_region(CLAIM);
    let got = atomicCompareExchangeWeak(&table[word], seen, key);
    @if(COUNT) count_rmw();
    if (got.exchanged) { return true; }
    @if(COUNT) count_failed_cas();
    seen = got.old_value;
  }
  return seen == key;
}

// Where a lane is in the key's sequence.
struct Place { probe: u32, slot: u32 }

// The key's slot if it is there; else the first free one, or the one after the reach.
fn look(key: u32, step: u32) -> Place {
  let reach = get_reach();
  var free = Place(reach, 0u);
  var slot = first_slot(key);
  for (var probe = 0u; probe < reach; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let seen = atomicLoad(&table[2u * slot]);
    if (seen == key) { return Place(probe, slot); }
    if (seen >= DELETED && free.probe == reach) { free = Place(probe, slot); }
    if (seen == EMPTY) { return free; }
    @if(COUNT) count_region(NEXT);
    slot = next_slot(slot, step);
  }
  if (free.probe == reach) { free.slot = slot; }
  return free;
}

fn insert(key: u32, value: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  let step = slot_step(key);
  let place = look(key, step);
  var slot = place.slot;
  for (var probe = place.probe; probe < sizes.slots; probe++) {
    @if(COUNT) count_step();
    if (claim(2u * slot, key)) {
      @if(COUNT) count_region(EPILOGUE);
      atomicStore(&table[2u * slot + 1u], value);
      @if(COUNT) count_write();
      extend_reach(probe + 1u);
      return true;
    }
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
  if (has_item && !insert(keys[item], values[item])) { atomicAdd(&status.refused, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
