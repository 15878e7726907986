// Slots in a dispatch that changes them: every word by an atomic. `slot` is an address (places.wgsl).
// SEVERAL: every sub-table is a bank (common/words.wgsl), its keys and then its values.  BESIDE: one array of keys, each before its value.
import package::kernels::common::banks::At;
import package::kernels::common::keys::EMPTY;
import package::kernels::common::words::Swapped;
@if(SEVERAL) import package::kernels::common::words::{load_word, store_word, exchange_word, swap_word, bank_words};
@if(SEVERAL) import package::kernels::dycuckoo::places::{table_of, slot_in};

@if(!SEVERAL) @group(0) @binding(0) var<storage, read_write> keys: array<atomic<u32>>;
@if(!SEVERAL && !BESIDE) @group(0) @binding(1) var<storage, read_write> values: array<atomic<u32>>;
// Words from a key to the next one.
@if(BESIDE) const STRIDE = 2u;
@else const STRIDE = 1u;
@if(SEVERAL) fn key_in(slot: u32) -> At { return At(table_of(slot), slot_in(slot)); }
@if(SEVERAL) fn value_in(slot: u32) -> At { return At(table_of(slot), bank_words(table_of(slot)) / 2u + slot_in(slot)); }

// A CAS of EMPTY. If it finds EMPTY and exchanges nothing it may be tried again.
@if(!SEVERAL) fn claim_key(slot: u32, key: u32) -> Swapped {
  let got = atomicCompareExchangeWeak(&keys[STRIDE * slot], EMPTY, key);
  return Swapped(got.exchanged, got.old_value);
}
@if(SEVERAL) fn claim_key(slot: u32, key: u32) -> Swapped { return swap_word(key_in(slot), EMPTY, key); }

@if(!SEVERAL) fn load_key(slot: u32) -> u32 { return atomicLoad(&keys[STRIDE * slot]); }
@if(SEVERAL) fn load_key(slot: u32) -> u32 { return load_word(key_in(slot)); }

@if(!SEVERAL) fn exchange_key(slot: u32, key: u32) -> u32 { return atomicExchange(&keys[STRIDE * slot], key); }
@if(SEVERAL) fn exchange_key(slot: u32, key: u32) -> u32 { return exchange_word(key_in(slot), key); }

@if(!SEVERAL && !BESIDE) fn load_value(slot: u32) -> u32 { return atomicLoad(&values[slot]); }
@if(BESIDE) fn load_value(slot: u32) -> u32 { return atomicLoad(&keys[STRIDE * slot + 1u]); }
@if(SEVERAL) fn load_value(slot: u32) -> u32 { return load_word(value_in(slot)); }

@if(!SEVERAL && !BESIDE) fn store_value(slot: u32, value: u32) { atomicStore(&values[slot], value); }
@if(BESIDE) fn store_value(slot: u32, value: u32) { atomicStore(&keys[STRIDE * slot + 1u], value); }
@if(SEVERAL) fn store_value(slot: u32, value: u32) { store_word(value_in(slot), value); }

@if(!SEVERAL && !BESIDE) fn exchange_value(slot: u32, value: u32) -> u32 { return atomicExchange(&values[slot], value); }
@if(BESIDE) fn exchange_value(slot: u32, value: u32) -> u32 { return atomicExchange(&keys[STRIDE * slot + 1u], value); }
@if(SEVERAL) fn exchange_value(slot: u32, value: u32) -> u32 { return exchange_word(value_in(slot), value); }
