// Slabs in a dispatch that changes them: every word by an atomic. `slab` is an address (slab.wgsl).
// SUPER: every super block is a binding, and every access chooses one: WGSL has no pointers from one buffer into another.
import package::kernels::common::keys::EMPTY;
import package::kernels::slab_hash::slab::SLAB_WORDS;
@if(SUPER) import package::kernels::slab_hash::slab::{SUPER_SHIFT, IN_SUPER};

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@if(SUPER) @group(0) @binding(9) var<storage, read_write> super0: array<atomic<u32>>;
@if(SUPER) @group(0) @binding(10) var<storage, read_write> super1: array<atomic<u32>>;
@if(SUPER) @group(0) @binding(11) var<storage, read_write> super2: array<atomic<u32>>;
@if(SUPER) @group(0) @binding(12) var<storage, read_write> super3: array<atomic<u32>>;

// What a CAS of EMPTY found, EMPTY if it may be tried again; `done` if it was exchanged.
struct Claimed { done: bool, found: u32 }
@if(!SUPER) fn claim_word(slab: u32, word: u32, value: u32) -> Claimed {
  let got = atomicCompareExchangeWeak(&table[slab * SLAB_WORDS + word], EMPTY, value);
  return Claimed(got.exchanged, got.old_value);
}
@if(SUPER) fn claim_word(slab: u32, word: u32, value: u32) -> Claimed {
  let at = (slab & IN_SUPER) * SLAB_WORDS + word;
  switch slab >> SUPER_SHIFT {
    case 0u: {
      let got = atomicCompareExchangeWeak(&super0[at], EMPTY, value);
      return Claimed(got.exchanged, got.old_value);
    }
    case 1u: {
      let got = atomicCompareExchangeWeak(&super1[at], EMPTY, value);
      return Claimed(got.exchanged, got.old_value);
    }
    case 2u: {
      let got = atomicCompareExchangeWeak(&super2[at], EMPTY, value);
      return Claimed(got.exchanged, got.old_value);
    }
    case 3u: {
      let got = atomicCompareExchangeWeak(&super3[at], EMPTY, value);
      return Claimed(got.exchanged, got.old_value);
    }
    default: {
      let got = atomicCompareExchangeWeak(&table[at], EMPTY, value);
      return Claimed(got.exchanged, got.old_value);
    }
  }
}

@if(!SUPER) fn load_word(slab: u32, word: u32) -> u32 { return atomicLoad(&table[slab * SLAB_WORDS + word]); }
@if(SUPER) fn load_word(slab: u32, word: u32) -> u32 {
  let at = (slab & IN_SUPER) * SLAB_WORDS + word;
  switch slab >> SUPER_SHIFT {
    case 0u: { return atomicLoad(&super0[at]); }
    case 1u: { return atomicLoad(&super1[at]); }
    case 2u: { return atomicLoad(&super2[at]); }
    case 3u: { return atomicLoad(&super3[at]); }
    default: { return atomicLoad(&table[at]); }
  }
}

@if(!SUPER) fn store_word(slab: u32, word: u32, value: u32) { atomicStore(&table[slab * SLAB_WORDS + word], value); }
@if(SUPER) fn store_word(slab: u32, word: u32, value: u32) {
  let at = (slab & IN_SUPER) * SLAB_WORDS + word;
  switch slab >> SUPER_SHIFT {
    case 0u: { atomicStore(&super0[at], value); }
    case 1u: { atomicStore(&super1[at], value); }
    case 2u: { atomicStore(&super2[at], value); }
    case 3u: { atomicStore(&super3[at], value); }
    default: { atomicStore(&table[at], value); }
  }
}

@if(!SUPER) fn exchange_word(slab: u32, word: u32, value: u32) -> u32 { return atomicExchange(&table[slab * SLAB_WORDS + word], value); }
@if(SUPER) fn exchange_word(slab: u32, word: u32, value: u32) -> u32 {
  let at = (slab & IN_SUPER) * SLAB_WORDS + word;
  switch slab >> SUPER_SHIFT {
    case 0u: { return atomicExchange(&super0[at], value); }
    case 1u: { return atomicExchange(&super1[at], value); }
    case 2u: { return atomicExchange(&super2[at], value); }
    case 3u: { return atomicExchange(&super3[at], value); }
    default: { return atomicExchange(&table[at], value); }
  }
}
