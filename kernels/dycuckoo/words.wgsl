// Slots in a dispatch that changes them: every word by an atomic. `slot` is an address (places.wgsl).
// SEVERAL: every sub-table is a buffer, its keys and then its values, and every access chooses one.
import package::kernels::common::keys::EMPTY;

@if(!SEVERAL) @group(0) @binding(0) var<storage, read_write> keys: array<atomic<u32>>;
@if(!SEVERAL) @group(0) @binding(1) var<storage, read_write> values: array<atomic<u32>>;
// T3 … T6: there are so many bindings of sub-tables, at least. The last is the default of every
// switch, and stands in cases that have none.
@if(SEVERAL) @group(0) @binding(0) var<storage, read_write> t0: array<atomic<u32>>;
@if(SEVERAL && T3) @group(0) @binding(1) var<storage, read_write> t1: array<atomic<u32>>;
@if(SEVERAL && T4) @group(0) @binding(2) var<storage, read_write> t2: array<atomic<u32>>;
@if(SEVERAL && T5) @group(0) @binding(3) var<storage, read_write> t3: array<atomic<u32>>;
@if(SEVERAL && T6) @group(0) @binding(4) var<storage, read_write> t4: array<atomic<u32>>;
@if(SEVERAL && !T3) @group(0) @binding(1) var<storage, read_write> last: array<atomic<u32>>;
@if(SEVERAL && T3 && !T4) @group(0) @binding(2) var<storage, read_write> last: array<atomic<u32>>;
@if(SEVERAL && T4 && !T5) @group(0) @binding(3) var<storage, read_write> last: array<atomic<u32>>;
@if(SEVERAL && T5 && !T6) @group(0) @binding(4) var<storage, read_write> last: array<atomic<u32>>;
@if(SEVERAL && T6) @group(0) @binding(5) var<storage, read_write> last: array<atomic<u32>>;
@if(SEVERAL) const IN_TABLE = 0x1fffffffu;

// What a CAS of EMPTY found, EMPTY if it may be tried again; `done` if it was exchanged.
struct Claimed { done: bool, found: u32 }
@if(!SEVERAL) fn claim_key(slot: u32, key: u32) -> Claimed {
  let got = atomicCompareExchangeWeak(&keys[slot], EMPTY, key);
  return Claimed(got.exchanged, got.old_value);
}
@if(SEVERAL) fn claim_key(slot: u32, key: u32) -> Claimed {
  let at = slot & IN_TABLE;
  switch slot >> 29u {
    case 0u: {
      let got = atomicCompareExchangeWeak(&t0[at], EMPTY, key);
      return Claimed(got.exchanged, got.old_value);
    }
    case 1u: {
      @if(T3) let got = atomicCompareExchangeWeak(&t1[at], EMPTY, key);
      @else let got = atomicCompareExchangeWeak(&last[at], EMPTY, key);
      return Claimed(got.exchanged, got.old_value);
    }
    case 2u: {
      @if(T4) let got = atomicCompareExchangeWeak(&t2[at], EMPTY, key);
      @else let got = atomicCompareExchangeWeak(&last[at], EMPTY, key);
      return Claimed(got.exchanged, got.old_value);
    }
    case 3u: {
      @if(T5) let got = atomicCompareExchangeWeak(&t3[at], EMPTY, key);
      @else let got = atomicCompareExchangeWeak(&last[at], EMPTY, key);
      return Claimed(got.exchanged, got.old_value);
    }
    case 4u: {
      @if(T6) let got = atomicCompareExchangeWeak(&t4[at], EMPTY, key);
      @else let got = atomicCompareExchangeWeak(&last[at], EMPTY, key);
      return Claimed(got.exchanged, got.old_value);
    }
    default: {
      let got = atomicCompareExchangeWeak(&last[at], EMPTY, key);
      return Claimed(got.exchanged, got.old_value);
    }
  }
}

@if(!SEVERAL) fn load_key(slot: u32) -> u32 { return atomicLoad(&keys[slot]); }
@if(SEVERAL) fn load_key(slot: u32) -> u32 {
  let at = slot & IN_TABLE;
  switch slot >> 29u {
    case 0u: { return atomicLoad(&t0[at]); }
    case 1u: { @if(T3) return atomicLoad(&t1[at]); @else return atomicLoad(&last[at]); }
    case 2u: { @if(T4) return atomicLoad(&t2[at]); @else return atomicLoad(&last[at]); }
    case 3u: { @if(T5) return atomicLoad(&t3[at]); @else return atomicLoad(&last[at]); }
    case 4u: { @if(T6) return atomicLoad(&t4[at]); @else return atomicLoad(&last[at]); }
    default: { return atomicLoad(&last[at]); }
  }
}

@if(!SEVERAL) fn exchange_key(slot: u32, key: u32) -> u32 { return atomicExchange(&keys[slot], key); }
@if(SEVERAL) fn exchange_key(slot: u32, key: u32) -> u32 {
  let at = slot & IN_TABLE;
  switch slot >> 29u {
    case 0u: { return atomicExchange(&t0[at], key); }
    case 1u: { @if(T3) return atomicExchange(&t1[at], key); @else return atomicExchange(&last[at], key); }
    case 2u: { @if(T4) return atomicExchange(&t2[at], key); @else return atomicExchange(&last[at], key); }
    case 3u: { @if(T5) return atomicExchange(&t3[at], key); @else return atomicExchange(&last[at], key); }
    case 4u: { @if(T6) return atomicExchange(&t4[at], key); @else return atomicExchange(&last[at], key); }
    default: { return atomicExchange(&last[at], key); }
  }
}

@if(!SEVERAL) fn load_value(slot: u32) -> u32 { return atomicLoad(&values[slot]); }
@if(SEVERAL) fn load_value(slot: u32) -> u32 {
  let at = slot & IN_TABLE;
  switch slot >> 29u {
    case 0u: { return atomicLoad(&t0[arrayLength(&t0) / 2u + at]); }
    case 1u: { @if(T3) return atomicLoad(&t1[arrayLength(&t1) / 2u + at]); @else return atomicLoad(&last[arrayLength(&last) / 2u + at]); }
    case 2u: { @if(T4) return atomicLoad(&t2[arrayLength(&t2) / 2u + at]); @else return atomicLoad(&last[arrayLength(&last) / 2u + at]); }
    case 3u: { @if(T5) return atomicLoad(&t3[arrayLength(&t3) / 2u + at]); @else return atomicLoad(&last[arrayLength(&last) / 2u + at]); }
    case 4u: { @if(T6) return atomicLoad(&t4[arrayLength(&t4) / 2u + at]); @else return atomicLoad(&last[arrayLength(&last) / 2u + at]); }
    default: { return atomicLoad(&last[arrayLength(&last) / 2u + at]); }
  }
}

@if(!SEVERAL) fn store_value(slot: u32, value: u32) { atomicStore(&values[slot], value); }
@if(SEVERAL) fn store_value(slot: u32, value: u32) {
  let at = slot & IN_TABLE;
  switch slot >> 29u {
    case 0u: { atomicStore(&t0[arrayLength(&t0) / 2u + at], value); }
    case 1u: { @if(T3) atomicStore(&t1[arrayLength(&t1) / 2u + at], value); @else atomicStore(&last[arrayLength(&last) / 2u + at], value); }
    case 2u: { @if(T4) atomicStore(&t2[arrayLength(&t2) / 2u + at], value); @else atomicStore(&last[arrayLength(&last) / 2u + at], value); }
    case 3u: { @if(T5) atomicStore(&t3[arrayLength(&t3) / 2u + at], value); @else atomicStore(&last[arrayLength(&last) / 2u + at], value); }
    case 4u: { @if(T6) atomicStore(&t4[arrayLength(&t4) / 2u + at], value); @else atomicStore(&last[arrayLength(&last) / 2u + at], value); }
    default: { atomicStore(&last[arrayLength(&last) / 2u + at], value); }
  }
}

@if(!SEVERAL) fn exchange_value(slot: u32, value: u32) -> u32 { return atomicExchange(&values[slot], value); }
@if(SEVERAL) fn exchange_value(slot: u32, value: u32) -> u32 {
  let at = slot & IN_TABLE;
  switch slot >> 29u {
    case 0u: { return atomicExchange(&t0[arrayLength(&t0) / 2u + at], value); }
    case 1u: { @if(T3) return atomicExchange(&t1[arrayLength(&t1) / 2u + at], value); @else return atomicExchange(&last[arrayLength(&last) / 2u + at], value); }
    case 2u: { @if(T4) return atomicExchange(&t2[arrayLength(&t2) / 2u + at], value); @else return atomicExchange(&last[arrayLength(&last) / 2u + at], value); }
    case 3u: { @if(T5) return atomicExchange(&t3[arrayLength(&t3) / 2u + at], value); @else return atomicExchange(&last[arrayLength(&last) / 2u + at], value); }
    case 4u: { @if(T6) return atomicExchange(&t4[arrayLength(&t4) / 2u + at], value); @else return atomicExchange(&last[arrayLength(&last) / 2u + at], value); }
    default: { return atomicExchange(&last[arrayLength(&last) / 2u + at], value); }
  }
}
