// Slabs in a dispatch that changes them: every word by an atomic. `slab` is an address (slab.wgsl).
// SUPER: the super blocks are banks, and the base slabs are the last one.
import package::kernels::common::banks::Swapped;
import package::kernels::common::keys::EMPTY;
import package::kernels::slab_hash::slab::SLAB_WORDS;
@if(SUPER) import package::kernels::common::banks::{load_at, store_at, exchange_at, swap_at};
@if(SUPER) import package::kernels::slab_hash::slab::{SUPER_SHIFT, IN_SUPER};

@if(!SUPER) @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
// The word in its array.
@if(!SUPER) fn place_of(slab: u32, word: u32) -> u32 { return slab * SLAB_WORDS + word; }
@if(SUPER) fn place_of(slab: u32, word: u32) -> u32 { return (slab & IN_SUPER) * SLAB_WORDS + word; }

// A CAS of EMPTY. If it finds EMPTY and exchanges nothing it may be tried again.
@if(!SUPER) fn claim_word(slab: u32, word: u32, value: u32) -> Swapped {
  let got = atomicCompareExchangeWeak(&table[place_of(slab, word)], EMPTY, value);
  return Swapped(got.exchanged, got.old_value);
}
@if(SUPER) fn claim_word(slab: u32, word: u32, value: u32) -> Swapped {
  return swap_at(place_of(slab, word), slab >> SUPER_SHIFT, EMPTY, value);
}

@if(!SUPER) fn load_word(slab: u32, word: u32) -> u32 { return atomicLoad(&table[place_of(slab, word)]); }
@if(SUPER) fn load_word(slab: u32, word: u32) -> u32 { return load_at(place_of(slab, word), slab >> SUPER_SHIFT); }

@if(!SUPER) fn store_word(slab: u32, word: u32, value: u32) { atomicStore(&table[place_of(slab, word)], value); }
@if(SUPER) fn store_word(slab: u32, word: u32, value: u32) { store_at(place_of(slab, word), slab >> SUPER_SHIFT, value); }

@if(!SUPER) fn exchange_word(slab: u32, word: u32, value: u32) -> u32 { return atomicExchange(&table[place_of(slab, word)], value); }
@if(SUPER) fn exchange_word(slab: u32, word: u32, value: u32) -> u32 {
  return exchange_at(place_of(slab, word), slab >> SUPER_SHIFT, value);
}
