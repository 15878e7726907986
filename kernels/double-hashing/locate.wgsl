// Double hashing with one pair a slot: where a key is, word by word, in a dispatch that changes the table. Layout and bounds as in find.wgsl.
import package::kernels::common::banks::{At, block_at, offset, is_nowhere, nowhere};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::load_word;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::double_hashing::layout::{first_slot, slot_step, next_slot, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_region, NEXT};

// The word of the key, its value is the next one; nowhere: the key is not there.
fn locate(key: u32) -> At {
  var slot = first_slot(key);
  let step = slot_step(key);
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < sizes.slots; probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let at = block_at(slot, 2u);
    let seen = load_word(at);
    if (seen == key) { return at; }
    if (seen == EMPTY) { break; }
    @if(COUNT) count_region(NEXT);
    slot = next_slot(slot, step);
  }
  return nowhere();
}

// The key's value; EMPTY if it is not there, or its value is not yet.
fn find(key: u32) -> u32 {
  if (key >= DELETED) { return EMPTY; }
  let word = locate(key);
  if (is_nowhere(word)) { return EMPTY; }
  return load_word(offset(word, 1u));
}
