// Double hashing with one pair a slot, insert with `reuse`: the slots of erased keys are taken again. One lane a pair. It first
// looks for its key, as far as any key ever got (reach.wgsl), and notes the first free slot, EMPTY or DELETED; then it tries slots from that
// one on, as insert.wgsl does.
//
// No key comes in twice. One that was there before lies within the reach, and no slot before it is EMPTY. Of lanes with one new key each claims
// the first free slot of the same sequence; in an insertion no slot becomes free, so that they meet at one slot.
//
// Layout: as in insert.wgsl.
// Bounds: the reach, then sizes.slots probes; at a slot one CAS and, if it failed for no reason, another.
import package::kernels::common::banks::block_at;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::reach::get_reach;
import package::kernels::common::words::load_word;
import package::kernels::double_hashing::insert::{insert, keys, values, range, status};
import package::kernels::double_hashing::layout::{first_slot, next_slot};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_region, NEXT, count_flush};

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
    let seen = load_word(block_at(slot, 2u));
    if (seen == key) { return Place(probe, slot); }
    if (seen >= DELETED && free.probe == reach) { free = Place(probe, slot); }
    if (seen == EMPTY) { return free; }
    @if(COUNT) count_region(NEXT);
    slot = next_slot(slot, step);
  }
  if (free.probe == reach) { free.slot = slot; }
  return free;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && !insert(keys[item], values[item])) { atomicAdd(&status.refused, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
