// Slots in a dispatch that changes them: every word by an atomic. `slot` is an address (places.wgsl).
// SEVERAL: every sub-table is a bank (common/banks.wgsl), its keys and then its values.
import package::kernels::common::banks::Swapped;
import package::kernels::common::keys::EMPTY;
@if(SEVERAL) import package::kernels::common::banks::{load_at, exchange_at, swap_at, bank0, bank1, bank2, bank3, bank4, last_bank};

@if(!SEVERAL) @group(0) @binding(0) var<storage, read_write> keys: array<atomic<u32>>;
@if(!SEVERAL) @group(0) @binding(1) var<storage, read_write> values: array<atomic<u32>>;
// Of an address of a slot: its sub-table is in the upper bits, and these are its place there.
@if(SEVERAL) const TABLE_SHIFT = 29u;
@if(SEVERAL) const IN_TABLE = (1u << TABLE_SHIFT) - 1u;

// A CAS of EMPTY. If it finds EMPTY and exchanges nothing it may be tried again.
@if(!SEVERAL) fn claim_key(slot: u32, key: u32) -> Swapped {
  let got = atomicCompareExchangeWeak(&keys[slot], EMPTY, key);
  return Swapped(got.exchanged, got.old_value);
}
@if(SEVERAL) fn claim_key(slot: u32, key: u32) -> Swapped { return swap_at(slot & IN_TABLE, slot >> TABLE_SHIFT, EMPTY, key); }

@if(!SEVERAL) fn load_key(slot: u32) -> u32 { return atomicLoad(&keys[slot]); }
@if(SEVERAL) fn load_key(slot: u32) -> u32 { return load_at(slot & IN_TABLE, slot >> TABLE_SHIFT); }

@if(!SEVERAL) fn exchange_key(slot: u32, key: u32) -> u32 { return atomicExchange(&keys[slot], key); }
@if(SEVERAL) fn exchange_key(slot: u32, key: u32) -> u32 { return exchange_at(slot & IN_TABLE, slot >> TABLE_SHIFT, key); }

// Values have switches of their own: only a case knows the length of its sub-table, and so where the values begin.
@if(!SEVERAL) fn load_value(slot: u32) -> u32 { return atomicLoad(&values[slot]); }
@if(SEVERAL) fn load_value(slot: u32) -> u32 {
  let at = slot & IN_TABLE;
  switch slot >> TABLE_SHIFT {
    case 0u: { return atomicLoad(&bank0[arrayLength(&bank0) / 2u + at]); }
    @if(BANK_3) case 1u: { return atomicLoad(&bank1[arrayLength(&bank1) / 2u + at]); }
    @if(BANK_4) case 2u: { return atomicLoad(&bank2[arrayLength(&bank2) / 2u + at]); }
    @if(BANK_5) case 3u: { return atomicLoad(&bank3[arrayLength(&bank3) / 2u + at]); }
    @if(BANK_6) case 4u: { return atomicLoad(&bank4[arrayLength(&bank4) / 2u + at]); }
    default: { return atomicLoad(&last_bank[arrayLength(&last_bank) / 2u + at]); }
  }
}

@if(!SEVERAL) fn store_value(slot: u32, value: u32) { atomicStore(&values[slot], value); }
@if(SEVERAL) fn store_value(slot: u32, value: u32) {
  let at = slot & IN_TABLE;
  switch slot >> TABLE_SHIFT {
    case 0u: { atomicStore(&bank0[arrayLength(&bank0) / 2u + at], value); }
    @if(BANK_3) case 1u: { atomicStore(&bank1[arrayLength(&bank1) / 2u + at], value); }
    @if(BANK_4) case 2u: { atomicStore(&bank2[arrayLength(&bank2) / 2u + at], value); }
    @if(BANK_5) case 3u: { atomicStore(&bank3[arrayLength(&bank3) / 2u + at], value); }
    @if(BANK_6) case 4u: { atomicStore(&bank4[arrayLength(&bank4) / 2u + at], value); }
    default: { atomicStore(&last_bank[arrayLength(&last_bank) / 2u + at], value); }
  }
}

@if(!SEVERAL) fn exchange_value(slot: u32, value: u32) -> u32 { return atomicExchange(&values[slot], value); }
@if(SEVERAL) fn exchange_value(slot: u32, value: u32) -> u32 {
  let at = slot & IN_TABLE;
  switch slot >> TABLE_SHIFT {
    case 0u: { return atomicExchange(&bank0[arrayLength(&bank0) / 2u + at], value); }
    @if(BANK_3) case 1u: { return atomicExchange(&bank1[arrayLength(&bank1) / 2u + at], value); }
    @if(BANK_4) case 2u: { return atomicExchange(&bank2[arrayLength(&bank2) / 2u + at], value); }
    @if(BANK_5) case 3u: { return atomicExchange(&bank3[arrayLength(&bank3) / 2u + at], value); }
    @if(BANK_6) case 4u: { return atomicExchange(&bank4[arrayLength(&bank4) / 2u + at], value); }
    default: { return atomicExchange(&last_bank[arrayLength(&last_bank) / 2u + at], value); }
  }
}
