// Words of a table in dispatches that change it: every access an atomic. BANKED: it chooses one of two to 15 banks (banks.wgsl; conditions
// BANK_3 … BANK_15 of banks.ts: so many, at least). The last one is the default of every switch.
//
// Each operation is written out for each bank, here and for no table again. WGSL forbids to choose the bank first: "function return type must
// be a constructible type" for one that returns &bank[at], and select() takes no pointers. A function may take a pointer to a bank, but
// not the operation: given its number, the driver would have to see that it is constant at every call.
import package::kernels::common::banks::At;

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(0) var<storage, read_write> bank0: array<atomic<u32>>;
@group(0) @binding(33) var<storage, read_write> bank1: array<atomic<u32>>;
@group(0) @binding(34) var<storage, read_write> bank2: array<atomic<u32>>;
@group(0) @binding(35) var<storage, read_write> bank3: array<atomic<u32>>;
@group(0) @binding(36) var<storage, read_write> bank4: array<atomic<u32>>;
@group(0) @binding(37) var<storage, read_write> bank5: array<atomic<u32>>;
@group(0) @binding(38) var<storage, read_write> bank6: array<atomic<u32>>;
@group(0) @binding(39) var<storage, read_write> bank7: array<atomic<u32>>;
@group(0) @binding(40) var<storage, read_write> bank8: array<atomic<u32>>;
@group(0) @binding(41) var<storage, read_write> bank9: array<atomic<u32>>;
@group(0) @binding(42) var<storage, read_write> bank10: array<atomic<u32>>;
@group(0) @binding(43) var<storage, read_write> bank11: array<atomic<u32>>;
@group(0) @binding(44) var<storage, read_write> bank12: array<atomic<u32>>;
@group(0) @binding(45) var<storage, read_write> bank13: array<atomic<u32>>;
@group(0) @binding(46) var<storage, read_write> last_bank: array<atomic<u32>>;

// What a CAS found, and whether it exchanged that.
struct Swapped { done: bool, found: u32 }

@if(!BANKED) fn load_word(at: At) -> u32 { return atomicLoad(&table[at.word]); }
@if(BANKED) fn load_word(at: At) -> u32 {
  switch at.bank {
    case 0u: { return atomicLoad(&bank0[at.word]); }
    @if(BANK_3) case 1u: { return atomicLoad(&bank1[at.word]); }
    @if(BANK_4) case 2u: { return atomicLoad(&bank2[at.word]); }
    @if(BANK_5) case 3u: { return atomicLoad(&bank3[at.word]); }
    @if(BANK_6) case 4u: { return atomicLoad(&bank4[at.word]); }
    @if(BANK_7) case 5u: { return atomicLoad(&bank5[at.word]); }
    @if(BANK_8) case 6u: { return atomicLoad(&bank6[at.word]); }
    @if(BANK_9) case 7u: { return atomicLoad(&bank7[at.word]); }
    @if(BANK_10) case 8u: { return atomicLoad(&bank8[at.word]); }
    @if(BANK_11) case 9u: { return atomicLoad(&bank9[at.word]); }
    @if(BANK_12) case 10u: { return atomicLoad(&bank10[at.word]); }
    @if(BANK_13) case 11u: { return atomicLoad(&bank11[at.word]); }
    @if(BANK_14) case 12u: { return atomicLoad(&bank12[at.word]); }
    @if(BANK_15) case 13u: { return atomicLoad(&bank13[at.word]); }
    default: { return atomicLoad(&last_bank[at.word]); }
  }
}

@if(!BANKED) fn store_word(at: At, value: u32) { atomicStore(&table[at.word], value); }
@if(BANKED) fn store_word(at: At, value: u32) {
  switch at.bank {
    case 0u: { atomicStore(&bank0[at.word], value); }
    @if(BANK_3) case 1u: { atomicStore(&bank1[at.word], value); }
    @if(BANK_4) case 2u: { atomicStore(&bank2[at.word], value); }
    @if(BANK_5) case 3u: { atomicStore(&bank3[at.word], value); }
    @if(BANK_6) case 4u: { atomicStore(&bank4[at.word], value); }
    @if(BANK_7) case 5u: { atomicStore(&bank5[at.word], value); }
    @if(BANK_8) case 6u: { atomicStore(&bank6[at.word], value); }
    @if(BANK_9) case 7u: { atomicStore(&bank7[at.word], value); }
    @if(BANK_10) case 8u: { atomicStore(&bank8[at.word], value); }
    @if(BANK_11) case 9u: { atomicStore(&bank9[at.word], value); }
    @if(BANK_12) case 10u: { atomicStore(&bank10[at.word], value); }
    @if(BANK_13) case 11u: { atomicStore(&bank11[at.word], value); }
    @if(BANK_14) case 12u: { atomicStore(&bank12[at.word], value); }
    @if(BANK_15) case 13u: { atomicStore(&bank13[at.word], value); }
    default: { atomicStore(&last_bank[at.word], value); }
  }
}

@if(!BANKED) fn and_word(at: At, bits: u32) { atomicAnd(&table[at.word], bits); }
@if(BANKED) fn and_word(at: At, bits: u32) {
  switch at.bank {
    case 0u: { atomicAnd(&bank0[at.word], bits); }
    @if(BANK_3) case 1u: { atomicAnd(&bank1[at.word], bits); }
    @if(BANK_4) case 2u: { atomicAnd(&bank2[at.word], bits); }
    @if(BANK_5) case 3u: { atomicAnd(&bank3[at.word], bits); }
    @if(BANK_6) case 4u: { atomicAnd(&bank4[at.word], bits); }
    @if(BANK_7) case 5u: { atomicAnd(&bank5[at.word], bits); }
    @if(BANK_8) case 6u: { atomicAnd(&bank6[at.word], bits); }
    @if(BANK_9) case 7u: { atomicAnd(&bank7[at.word], bits); }
    @if(BANK_10) case 8u: { atomicAnd(&bank8[at.word], bits); }
    @if(BANK_11) case 9u: { atomicAnd(&bank9[at.word], bits); }
    @if(BANK_12) case 10u: { atomicAnd(&bank10[at.word], bits); }
    @if(BANK_13) case 11u: { atomicAnd(&bank11[at.word], bits); }
    @if(BANK_14) case 12u: { atomicAnd(&bank12[at.word], bits); }
    @if(BANK_15) case 13u: { atomicAnd(&bank13[at.word], bits); }
    default: { atomicAnd(&last_bank[at.word], bits); }
  }
}

@if(!BANKED) fn or_word(at: At, bits: u32) -> u32 { return atomicOr(&table[at.word], bits); }
@if(BANKED) fn or_word(at: At, bits: u32) -> u32 {
  switch at.bank {
    case 0u: { return atomicOr(&bank0[at.word], bits); }
    @if(BANK_3) case 1u: { return atomicOr(&bank1[at.word], bits); }
    @if(BANK_4) case 2u: { return atomicOr(&bank2[at.word], bits); }
    @if(BANK_5) case 3u: { return atomicOr(&bank3[at.word], bits); }
    @if(BANK_6) case 4u: { return atomicOr(&bank4[at.word], bits); }
    @if(BANK_7) case 5u: { return atomicOr(&bank5[at.word], bits); }
    @if(BANK_8) case 6u: { return atomicOr(&bank6[at.word], bits); }
    @if(BANK_9) case 7u: { return atomicOr(&bank7[at.word], bits); }
    @if(BANK_10) case 8u: { return atomicOr(&bank8[at.word], bits); }
    @if(BANK_11) case 9u: { return atomicOr(&bank9[at.word], bits); }
    @if(BANK_12) case 10u: { return atomicOr(&bank10[at.word], bits); }
    @if(BANK_13) case 11u: { return atomicOr(&bank11[at.word], bits); }
    @if(BANK_14) case 12u: { return atomicOr(&bank12[at.word], bits); }
    @if(BANK_15) case 13u: { return atomicOr(&bank13[at.word], bits); }
    default: { return atomicOr(&last_bank[at.word], bits); }
  }
}

@if(!BANKED) fn exchange_word(at: At, value: u32) -> u32 { return atomicExchange(&table[at.word], value); }
@if(BANKED) fn exchange_word(at: At, value: u32) -> u32 {
  switch at.bank {
    case 0u: { return atomicExchange(&bank0[at.word], value); }
    @if(BANK_3) case 1u: { return atomicExchange(&bank1[at.word], value); }
    @if(BANK_4) case 2u: { return atomicExchange(&bank2[at.word], value); }
    @if(BANK_5) case 3u: { return atomicExchange(&bank3[at.word], value); }
    @if(BANK_6) case 4u: { return atomicExchange(&bank4[at.word], value); }
    @if(BANK_7) case 5u: { return atomicExchange(&bank5[at.word], value); }
    @if(BANK_8) case 6u: { return atomicExchange(&bank6[at.word], value); }
    @if(BANK_9) case 7u: { return atomicExchange(&bank7[at.word], value); }
    @if(BANK_10) case 8u: { return atomicExchange(&bank8[at.word], value); }
    @if(BANK_11) case 9u: { return atomicExchange(&bank9[at.word], value); }
    @if(BANK_12) case 10u: { return atomicExchange(&bank10[at.word], value); }
    @if(BANK_13) case 11u: { return atomicExchange(&bank11[at.word], value); }
    @if(BANK_14) case 12u: { return atomicExchange(&bank12[at.word], value); }
    @if(BANK_15) case 13u: { return atomicExchange(&bank13[at.word], value); }
    default: { return atomicExchange(&last_bank[at.word], value); }
  }
}

// A CAS of `seen`.
@if(!BANKED) fn swap_word(at: At, seen: u32, next: u32) -> Swapped {
  let got = atomicCompareExchangeWeak(&table[at.word], seen, next);
  return Swapped(got.exchanged, got.old_value);
}
@if(BANKED) fn swap_word(at: At, seen: u32, next: u32) -> Swapped {
  switch at.bank {
    case 0u: { let got = atomicCompareExchangeWeak(&bank0[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_3) case 1u: { let got = atomicCompareExchangeWeak(&bank1[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_4) case 2u: { let got = atomicCompareExchangeWeak(&bank2[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_5) case 3u: { let got = atomicCompareExchangeWeak(&bank3[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_6) case 4u: { let got = atomicCompareExchangeWeak(&bank4[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_7) case 5u: { let got = atomicCompareExchangeWeak(&bank5[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_8) case 6u: { let got = atomicCompareExchangeWeak(&bank6[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_9) case 7u: { let got = atomicCompareExchangeWeak(&bank7[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_10) case 8u: { let got = atomicCompareExchangeWeak(&bank8[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_11) case 9u: { let got = atomicCompareExchangeWeak(&bank9[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_12) case 10u: { let got = atomicCompareExchangeWeak(&bank10[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_13) case 11u: { let got = atomicCompareExchangeWeak(&bank11[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_14) case 12u: { let got = atomicCompareExchangeWeak(&bank12[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    @if(BANK_15) case 13u: { let got = atomicCompareExchangeWeak(&bank13[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
    default: { let got = atomicCompareExchangeWeak(&last_bank[at.word], seen, next); return Swapped(got.exchanged, got.old_value); }
  }
}

// Words that a bank has.
@if(BANKED) fn bank_words(bank: u32) -> u32 {
  switch bank {
    case 0u: { return arrayLength(&bank0); }
    @if(BANK_3) case 1u: { return arrayLength(&bank1); }
    @if(BANK_4) case 2u: { return arrayLength(&bank2); }
    @if(BANK_5) case 3u: { return arrayLength(&bank3); }
    @if(BANK_6) case 4u: { return arrayLength(&bank4); }
    @if(BANK_7) case 5u: { return arrayLength(&bank5); }
    @if(BANK_8) case 6u: { return arrayLength(&bank6); }
    @if(BANK_9) case 7u: { return arrayLength(&bank7); }
    @if(BANK_10) case 8u: { return arrayLength(&bank8); }
    @if(BANK_11) case 9u: { return arrayLength(&bank9); }
    @if(BANK_12) case 10u: { return arrayLength(&bank10); }
    @if(BANK_13) case 11u: { return arrayLength(&bank11); }
    @if(BANK_14) case 12u: { return arrayLength(&bank12); }
    @if(BANK_15) case 13u: { return arrayLength(&bank13); }
    default: { return arrayLength(&last_bank); }
  }
}
