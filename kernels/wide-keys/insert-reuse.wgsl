// Tables whose keys have two words, insert with `reuse`: the slots of erased keys are taken again. One lane a pair. It first looks for its key, as far as
// any key ever got (reach.wgsl), and notes the first block with a slot that may become its key's; then it tries slots from that block on, as
// insert.wgsl does.
//
// A slot may become the key's that is free, EMPTY or DELETED, or has the key's first word and no second one: another lane is about to claim it.
// A lane that went past that could claim another slot while one with its key claims this one.
//
// Layout: as in layout.wgsl.
// Bounds: the reach, then most_blocks() probes.
import package::kernels::common::banks::{At, block_at, offset, nowhere};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::reach::get_reach;
import package::kernels::common::words::load_word;
import package::kernels::wide_keys::insert::{insert, keys, values, range, status};
import package::kernels::wide_keys::layout::{first_block, block_after, BLOCK_WORDS, IN_BLOCK};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_region, NEXT, count_flush};

// Where a lane is in the key's sequence, and the slot's first word if the key is there, else nowhere.
struct Place { probe: u32, number: u32, word: At }

// The key's place if it is there; else the first block with room for it, or the one after the reach.
fn look(key: vec2u, hash: u32) -> Place {
  let reach = get_reach();
  var free = Place(reach, 0u, nowhere());
  var number = first_block(hash);
  for (var probe = 0u; probe < reach; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let at = block_at(number, BLOCK_WORDS);
    var ends = false;
    for (var i = 0u; i < IN_BLOCK; i++) {
      let seen = load_word(offset(at, i));
      var second = EMPTY;
      if (seen == key.x) { second = load_word(offset(at, IN_BLOCK + i)); }
      if (seen == key.x && second == key.y) { return Place(probe, number, offset(at, i)); }
      ends = ends || seen == EMPTY;
      let may_be = seen >= DELETED || (seen == key.x && second == EMPTY);
      if (may_be && free.probe == reach) { free = Place(probe, number, nowhere()); }
    }
    if (ends) { return free; }
    @if(COUNT) count_region(NEXT);
    number = block_after(probe, number, hash);
  }
  if (free.probe == reach) { free.number = number; }
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
