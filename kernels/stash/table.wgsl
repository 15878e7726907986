// The table proper: pairs by slot, apart from the ticket-board, in one buffer or in several. PUTS: the kernel writes pairs, too.
import package::kernels::common::banks::block_at;
import package::kernels::common::keys::EMPTY;
@if(VECTOR) import package::kernels::common::parts::part_at;
@if(!VECTOR) import package::kernels::common::parts::{key_at, value_at};
@if(PUTS) import package::kernels::common::parts::put_part;
import package::kernels::common::records::{Key, Value, Pair, key_of, value_of, same_key, first_word};
@if(COUNT) import package::kernels::common::records::{KEY_WORDS, VALUE_WORDS};

@if(COUNT) import package::kernels::common::count::{count_reads, count_beside};

// Sectors of 32 bytes that a whole pair touches, and words of a slot: for the counting variants.
override PAIR_SECTORS: u32;
@if(COUNT) override STRIDE_WORDS: u32;
@if(COUNT) override VALUE_AT: u32;

@if(PUTS) fn put_pair(slot: u32, pair: Pair) { put_part(block_at(slot, 1u), pair); }

// What a look at a slot finds: the key (then `value` is its value), another one, or no key since the table was cleared.
const OTHER = 0u;
const FOUND = 1u;
const VACANT = 2u;
// A look reads the sectors of the key and, of a key that is found, those that the value has beside them.
@if(COUNT) fn count_sectors(slot: u32, words: u32) -> u32 {
  // A sector has 8 words, and as many slots fill whole sectors.
  let first = slot % 8u * STRIDE_WORDS;
  return (first + words - 1u) / 8u - first / 8u + 1u;
}
@if(COUNT) fn count_look(slot: u32, found: bool) {
  let sectors = count_sectors(slot, KEY_WORDS);
  count_reads(sectors);
  let more = count_sectors(slot, VALUE_AT + VALUE_WORDS) - sectors;
  if (found) { count_beside(more); }
}
// A pair that is a vector is loaded whole; of a wider one first the key, and the value only where it is wanted.
@if(VECTOR) fn look(slot: u32, key: Key, value: ptr<function, Value>) -> u32 {
  let pair = part_at(block_at(slot, 1u));
  let there = key_of(pair);
  @if(COUNT) count_look(slot, same_key(there, key));
  if (!same_key(there, key)) { return select(OTHER, VACANT, first_word(there) == EMPTY); }
  *value = value_of(pair);
  return FOUND;
}
@if(!VECTOR) fn look(slot: u32, key: Key, value: ptr<function, Value>) -> u32 {
  let at = block_at(slot, 1u);
  let there = key_at(at);
  @if(COUNT) count_look(slot, same_key(there, key));
  if (!same_key(there, key)) { return select(OTHER, VACANT, first_word(there) == EMPTY); }
  *value = value_at(at);
  return FOUND;
}
