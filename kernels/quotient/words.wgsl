// Words of the table in dispatches that change it.
// BANKED: a table beyond the largest binding lies in up to six banks of BANK_WORDS words each, and every access chooses one.
@if(!BANKED) @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@if(BANKED) @group(0) @binding(0) var<storage, read_write> bank0: array<atomic<u32>>;
@if(BANKED) @group(0) @binding(20) var<storage, read_write> bank1: array<atomic<u32>>;
@if(BANKED) @group(0) @binding(21) var<storage, read_write> bank2: array<atomic<u32>>;
@if(BANKED) @group(0) @binding(22) var<storage, read_write> bank3: array<atomic<u32>>;
@if(BANKED) @group(0) @binding(23) var<storage, read_write> bank4: array<atomic<u32>>;
@if(BANKED) @group(0) @binding(24) var<storage, read_write> bank5: array<atomic<u32>>;
// Of whole buckets.
@if(BANKED) override BANK_WORDS: u32;

// What a CAS found, and whether it exchanged that.
struct Swapped { done: bool, found: u32 }

@if(!BANKED) fn load_word(word: u32) -> u32 { return atomicLoad(&table[word]); }
@if(BANKED) fn load_word(word: u32) -> u32 {
  let at = word % BANK_WORDS;
  switch word / BANK_WORDS {
    case 0u: { return atomicLoad(&bank0[at]); }
    case 1u: { return atomicLoad(&bank1[at]); }
    case 2u: { return atomicLoad(&bank2[at]); }
    case 3u: { return atomicLoad(&bank3[at]); }
    case 4u: { return atomicLoad(&bank4[at]); }
    default: { return atomicLoad(&bank5[at]); }
  }
}

@if(!BANKED) fn store_word(word: u32, value: u32) { atomicStore(&table[word], value); }
@if(BANKED) fn store_word(word: u32, value: u32) {
  let at = word % BANK_WORDS;
  switch word / BANK_WORDS {
    case 0u: { atomicStore(&bank0[at], value); }
    case 1u: { atomicStore(&bank1[at], value); }
    case 2u: { atomicStore(&bank2[at], value); }
    case 3u: { atomicStore(&bank3[at], value); }
    case 4u: { atomicStore(&bank4[at], value); }
    default: { atomicStore(&bank5[at], value); }
  }
}

@if(!BANKED) fn and_word(word: u32, bits: u32) { atomicAnd(&table[word], bits); }
@if(BANKED) fn and_word(word: u32, bits: u32) {
  let at = word % BANK_WORDS;
  switch word / BANK_WORDS {
    case 0u: { atomicAnd(&bank0[at], bits); }
    case 1u: { atomicAnd(&bank1[at], bits); }
    case 2u: { atomicAnd(&bank2[at], bits); }
    case 3u: { atomicAnd(&bank3[at], bits); }
    case 4u: { atomicAnd(&bank4[at], bits); }
    default: { atomicAnd(&bank5[at], bits); }
  }
}

@if(!BANKED) fn or_word(word: u32, bits: u32) -> u32 { return atomicOr(&table[word], bits); }
@if(BANKED) fn or_word(word: u32, bits: u32) -> u32 {
  let at = word % BANK_WORDS;
  switch word / BANK_WORDS {
    case 0u: { return atomicOr(&bank0[at], bits); }
    case 1u: { return atomicOr(&bank1[at], bits); }
    case 2u: { return atomicOr(&bank2[at], bits); }
    case 3u: { return atomicOr(&bank3[at], bits); }
    case 4u: { return atomicOr(&bank4[at], bits); }
    default: { return atomicOr(&bank5[at], bits); }
  }
}

@if(!BANKED) fn exchange_word(word: u32, value: u32) -> u32 { return atomicExchange(&table[word], value); }
@if(BANKED) fn exchange_word(word: u32, value: u32) -> u32 {
  let at = word % BANK_WORDS;
  switch word / BANK_WORDS {
    case 0u: { return atomicExchange(&bank0[at], value); }
    case 1u: { return atomicExchange(&bank1[at], value); }
    case 2u: { return atomicExchange(&bank2[at], value); }
    case 3u: { return atomicExchange(&bank3[at], value); }
    case 4u: { return atomicExchange(&bank4[at], value); }
    default: { return atomicExchange(&bank5[at], value); }
  }
}

@if(!BANKED) fn swap_word(word: u32, seen: u32, next: u32) -> Swapped {
  let got = atomicCompareExchangeWeak(&table[word], seen, next);
  return Swapped(got.exchanged, got.old_value);
}
@if(BANKED) fn swap_word(word: u32, seen: u32, next: u32) -> Swapped {
  let at = word % BANK_WORDS;
  switch word / BANK_WORDS {
    case 0u: {
      let got = atomicCompareExchangeWeak(&bank0[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    case 1u: {
      let got = atomicCompareExchangeWeak(&bank1[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    case 2u: {
      let got = atomicCompareExchangeWeak(&bank2[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    case 3u: {
      let got = atomicCompareExchangeWeak(&bank3[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    case 4u: {
      let got = atomicCompareExchangeWeak(&bank4[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    default: {
      let got = atomicCompareExchangeWeak(&bank5[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
  }
}
