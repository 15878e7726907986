// Tables whose keys have two words, erase. One lane a key: the first word of its slot becomes DELETED, which no search stops at and no insertion of
// the same dispatch may take.
// REUSE: insertions of later dispatches do, and find the other words EMPTY. So no insertion may run beside an erasure.
//
// Layout: as in layout.wgsl.  Bound of the probe loop: most_blocks().
import package::kernels::common::banks::{At, block_at, offset, is_nowhere, nowhere};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::{exchange_word, load_word};
@if(REUSE) import package::kernels::common::words::store_word;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::wide_keys::layout::{first_block, block_after, most_blocks, hash_of, is_key, BLOCK_WORDS, IN_BLOCK};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_rmw, count_once, count_region, PROLOGUE, NEXT, CLAIM, count_flush};
@if(COUNT && REUSE) import package::kernels::common::count::count_write;

@group(0) @binding(1) var<storage, read> keys: array<vec2u>;
@group(0) @binding(2) var<uniform> range: Range;
@group(0) @binding(3) var<storage, read_write> status: Status;

// The first word of the key's slot; nowhere: the key is not there.
fn locate(key: vec2u) -> At {
  let hash = hash_of(key);
  var number = first_block(hash);
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < most_blocks(); probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let at = block_at(number, BLOCK_WORDS);
    var full = true;
    for (var i = 0u; i < IN_BLOCK; i++) {
      let seen = load_word(offset(at, i));
      full = full && seen != EMPTY;
      if (seen == key.x) {
        if (load_word(offset(at, IN_BLOCK + i)) == key.y) { return offset(at, i); }
      }
    }
    if (!full) { break; }
    @if(COUNT) count_region(NEXT);
    number = block_after(probe, number, hash);
  }
  return nowhere();
}

// Of several lanes with one key, one erases it.
fn erase(key: vec2u) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (!is_key(key)) { return false; }
  let word = locate(key);
  if (is_nowhere(word)) { return false; }
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  if (exchange_word(word, DELETED) != key.x) { return false; }
  @if(REUSE) store_word(offset(word, IN_BLOCK), EMPTY);
  @if(REUSE) store_word(offset(word, 2u * IN_BLOCK), EMPTY);
  @if(REUSE && COUNT) count_write();
  return true;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && erase(keys[item])) { atomicAdd(&status.changed, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
