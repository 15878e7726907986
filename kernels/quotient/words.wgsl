// Words of the table in dispatches that change it. BANKED: a table beyond the largest binding lies in banks of BANK_WORDS words each.
@if(BANKED) import package::kernels::common::banks::{load_at, store_at, and_at, or_at, exchange_at, swap_at};
import package::kernels::common::banks::Swapped;

@if(!BANKED) @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
// Of whole buckets.
@if(BANKED) override BANK_WORDS: u32;

@if(!BANKED) fn load_word(word: u32) -> u32 { return atomicLoad(&table[word]); }
@if(BANKED) fn load_word(word: u32) -> u32 { return load_at(word % BANK_WORDS, word / BANK_WORDS); }

@if(!BANKED) fn store_word(word: u32, value: u32) { atomicStore(&table[word], value); }
@if(BANKED) fn store_word(word: u32, value: u32) { store_at(word % BANK_WORDS, word / BANK_WORDS, value); }

@if(!BANKED) fn and_word(word: u32, bits: u32) { atomicAnd(&table[word], bits); }
@if(BANKED) fn and_word(word: u32, bits: u32) { and_at(word % BANK_WORDS, word / BANK_WORDS, bits); }

@if(!BANKED) fn or_word(word: u32, bits: u32) -> u32 { return atomicOr(&table[word], bits); }
@if(BANKED) fn or_word(word: u32, bits: u32) -> u32 { return or_at(word % BANK_WORDS, word / BANK_WORDS, bits); }

@if(!BANKED) fn exchange_word(word: u32, value: u32) -> u32 { return atomicExchange(&table[word], value); }
@if(BANKED) fn exchange_word(word: u32, value: u32) -> u32 { return exchange_at(word % BANK_WORDS, word / BANK_WORDS, value); }

@if(!BANKED) fn swap_word(word: u32, seen: u32, next: u32) -> Swapped {
  let got = atomicCompareExchangeWeak(&table[word], seen, next);
  return Swapped(got.exchanged, got.old_value);
}
@if(BANKED) fn swap_word(word: u32, seen: u32, next: u32) -> Swapped {
  return swap_at(word % BANK_WORDS, word / BANK_WORDS, seen, next);
}
