// Words of a table in dispatches that change it: every access an atomic. BANKED, @each_bank: as in banks.wgsl.
import package::kernels::common::banks::At;

@each_bank @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;

// What a CAS found, and whether it exchanged that.
struct Swapped { done: bool, found: u32 }

@each_bank fn load_word(at: At) -> u32 { return atomicLoad(&table[at.word]); }
@each_bank fn store_word(at: At, value: u32) { atomicStore(&table[at.word], value); }
@each_bank fn and_word(at: At, bits: u32) { atomicAnd(&table[at.word], bits); }
@each_bank fn or_word(at: At, bits: u32) -> u32 { return atomicOr(&table[at.word], bits); }
@each_bank fn exchange_word(at: At, value: u32) -> u32 { return atomicExchange(&table[at.word], value); }
@each_bank fn add_word(at: At, value: u32) { atomicAdd(&table[at.word], value); }
@each_bank fn min_word(at: At, value: u32) { atomicMin(&table[at.word], value); }
@each_bank fn max_word(at: At, value: u32) { atomicMax(&table[at.word], value); }

// A CAS of `seen`.
@each_bank fn swap_word(at: At, seen: u32, next: u32) -> Swapped {
  let got = atomicCompareExchangeWeak(&table[at.word], seen, next);
  return Swapped(got.exchanged, got.old_value);
}

// Words that a bank has.
@each_bank fn bank_words(bank: u32) -> u32 { return arrayLength(&table); }
