// The table proper: pairs by slot, apart from the ticket-board. A table beyond the largest binding is split into banks of
// 2^BANK_BITS slots, at most four. LOOKUP: the kernel only reads.
import package::kernels::common::keys::EMPTY;
import package::kernels::common::records::{Key, Value, Pair, key_of, value_of, same_key, first_word};
@if(COUNT) import package::kernels::common::records::{KEY_WORDS, VALUE_WORDS};

@if(COUNT) import package::kernels::common::count::{count_reads, count_beside};

// Sectors of 32 bytes that a whole pair touches, and words of a slot: for the counting variants.
override PAIR_SECTORS: u32;
@if(COUNT) override STRIDE_WORDS: u32;
@if(COUNT) override VALUE_AT: u32;

@if(LOOKUP) @group(0) @binding(1) var<storage, read> bank0: array<Pair>;
@if(LOOKUP && BANKED) @group(0) @binding(2) var<storage, read> bank1: array<Pair>;
@if(LOOKUP && BANKED) @group(0) @binding(3) var<storage, read> bank2: array<Pair>;
@if(LOOKUP && BANKED) @group(0) @binding(4) var<storage, read> bank3: array<Pair>;
@if(!LOOKUP) @group(0) @binding(1) var<storage, read_write> bank0: array<Pair>;
@if(!LOOKUP && BANKED) @group(0) @binding(2) var<storage, read_write> bank1: array<Pair>;
@if(!LOOKUP && BANKED) @group(0) @binding(3) var<storage, read_write> bank2: array<Pair>;
@if(!LOOKUP && BANKED) @group(0) @binding(4) var<storage, read_write> bank3: array<Pair>;
@if(BANKED) override BANK_BITS: u32;
@if(BANKED) fn in_bank(slot: u32) -> u32 { return slot & ((1u << BANK_BITS) - 1u); }

@if(!BANKED) fn put_pair(slot: u32, pair: Pair) { bank0[slot] = pair; }
@if(BANKED) fn put_pair(slot: u32, pair: Pair) {
  switch slot >> BANK_BITS {
    case 0u: { bank0[slot] = pair; }
    case 1u: { bank1[in_bank(slot)] = pair; }
    case 2u: { bank2[in_bank(slot)] = pair; }
    default: { bank3[in_bank(slot)] = pair; }
  }
}

// A pair that is a vector is loaded whole; of a wider one first the key, and the value only where it is wanted.
@if(!BANKED && VECTOR) fn pair_at(slot: u32) -> Pair { return bank0[slot]; }
@if(BANKED && VECTOR) fn pair_at(slot: u32) -> Pair {
  switch slot >> BANK_BITS {
    case 0u: { return bank0[slot]; }
    case 1u: { return bank1[in_bank(slot)]; }
    case 2u: { return bank2[in_bank(slot)]; }
    default: { return bank3[in_bank(slot)]; }
  }
}
@if(!BANKED && !VECTOR) fn key_at(slot: u32) -> Key { return bank0[slot].key; }
@if(BANKED && !VECTOR) fn key_at(slot: u32) -> Key {
  switch slot >> BANK_BITS {
    case 0u: { return bank0[slot].key; }
    case 1u: { return bank1[in_bank(slot)].key; }
    case 2u: { return bank2[in_bank(slot)].key; }
    default: { return bank3[in_bank(slot)].key; }
  }
}
@if(!BANKED && !VECTOR) fn value_at(slot: u32) -> Value { return bank0[slot].value; }
@if(BANKED && !VECTOR) fn value_at(slot: u32) -> Value {
  switch slot >> BANK_BITS {
    case 0u: { return bank0[slot].value; }
    case 1u: { return bank1[in_bank(slot)].value; }
    case 2u: { return bank2[in_bank(slot)].value; }
    default: { return bank3[in_bank(slot)].value; }
  }
}

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
@if(VECTOR) fn look(slot: u32, key: Key, value: ptr<function, Value>) -> u32 {
  let pair = pair_at(slot);
  let there = key_of(pair);
  @if(COUNT) count_look(slot, same_key(there, key));
  if (!same_key(there, key)) { return select(OTHER, VACANT, first_word(there) == EMPTY); }
  *value = value_of(pair);
  return FOUND;
}
@if(!VECTOR) fn look(slot: u32, key: Key, value: ptr<function, Value>) -> u32 {
  let there = key_at(slot);
  @if(COUNT) count_look(slot, same_key(there, key));
  if (!same_key(there, key)) { return select(OTHER, VACANT, first_word(there) == EMPTY); }
  *value = value_at(slot);
  return FOUND;
}
