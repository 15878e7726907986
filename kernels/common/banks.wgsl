// Words of a table that lies in several buffers, its banks, in dispatches that change it: every access chooses one. There are two to six;
// conditions BANK_3 … BANK_6: so many, at least (banks.ts). The last one is the default of every switch. `at` is a word of the bank.
//
// Each operation is written out for each bank, here and for no table again. WGSL forbids to choose the bank first: "function return type must
// be a constructible type" for one that returns &bank[at], and select() takes no pointers. A function may take a pointer to a bank, but
// not the operation: given its number, the driver would have to see that it is constant at every call.
@group(0) @binding(0) var<storage, read_write> bank0: array<atomic<u32>>;
@group(0) @binding(20) var<storage, read_write> bank1: array<atomic<u32>>;
@group(0) @binding(21) var<storage, read_write> bank2: array<atomic<u32>>;
@group(0) @binding(22) var<storage, read_write> bank3: array<atomic<u32>>;
@group(0) @binding(23) var<storage, read_write> bank4: array<atomic<u32>>;
@group(0) @binding(24) var<storage, read_write> last_bank: array<atomic<u32>>;

// What a CAS found, and whether it exchanged that.
struct Swapped { done: bool, found: u32 }

fn load_at(at: u32, bank: u32) -> u32 {
  switch bank {
    case 0u: { return atomicLoad(&bank0[at]); }
    @if(BANK_3) case 1u: { return atomicLoad(&bank1[at]); }
    @if(BANK_4) case 2u: { return atomicLoad(&bank2[at]); }
    @if(BANK_5) case 3u: { return atomicLoad(&bank3[at]); }
    @if(BANK_6) case 4u: { return atomicLoad(&bank4[at]); }
    default: { return atomicLoad(&last_bank[at]); }
  }
}

fn store_at(at: u32, bank: u32, value: u32) {
  switch bank {
    case 0u: { atomicStore(&bank0[at], value); }
    @if(BANK_3) case 1u: { atomicStore(&bank1[at], value); }
    @if(BANK_4) case 2u: { atomicStore(&bank2[at], value); }
    @if(BANK_5) case 3u: { atomicStore(&bank3[at], value); }
    @if(BANK_6) case 4u: { atomicStore(&bank4[at], value); }
    default: { atomicStore(&last_bank[at], value); }
  }
}

fn and_at(at: u32, bank: u32, bits: u32) {
  switch bank {
    case 0u: { atomicAnd(&bank0[at], bits); }
    @if(BANK_3) case 1u: { atomicAnd(&bank1[at], bits); }
    @if(BANK_4) case 2u: { atomicAnd(&bank2[at], bits); }
    @if(BANK_5) case 3u: { atomicAnd(&bank3[at], bits); }
    @if(BANK_6) case 4u: { atomicAnd(&bank4[at], bits); }
    default: { atomicAnd(&last_bank[at], bits); }
  }
}

fn or_at(at: u32, bank: u32, bits: u32) -> u32 {
  switch bank {
    case 0u: { return atomicOr(&bank0[at], bits); }
    @if(BANK_3) case 1u: { return atomicOr(&bank1[at], bits); }
    @if(BANK_4) case 2u: { return atomicOr(&bank2[at], bits); }
    @if(BANK_5) case 3u: { return atomicOr(&bank3[at], bits); }
    @if(BANK_6) case 4u: { return atomicOr(&bank4[at], bits); }
    default: { return atomicOr(&last_bank[at], bits); }
  }
}

fn exchange_at(at: u32, bank: u32, value: u32) -> u32 {
  switch bank {
    case 0u: { return atomicExchange(&bank0[at], value); }
    @if(BANK_3) case 1u: { return atomicExchange(&bank1[at], value); }
    @if(BANK_4) case 2u: { return atomicExchange(&bank2[at], value); }
    @if(BANK_5) case 3u: { return atomicExchange(&bank3[at], value); }
    @if(BANK_6) case 4u: { return atomicExchange(&bank4[at], value); }
    default: { return atomicExchange(&last_bank[at], value); }
  }
}

// A CAS of `seen`.
fn swap_at(at: u32, bank: u32, seen: u32, next: u32) -> Swapped {
  switch bank {
    case 0u: {
      let got = atomicCompareExchangeWeak(&bank0[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    @if(BANK_3) case 1u: {
      let got = atomicCompareExchangeWeak(&bank1[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    @if(BANK_4) case 2u: {
      let got = atomicCompareExchangeWeak(&bank2[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    @if(BANK_5) case 3u: {
      let got = atomicCompareExchangeWeak(&bank3[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    @if(BANK_6) case 4u: {
      let got = atomicCompareExchangeWeak(&bank4[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
    default: {
      let got = atomicCompareExchangeWeak(&last_bank[at], seen, next);
      return Swapped(got.exchanged, got.old_value);
    }
  }
}
