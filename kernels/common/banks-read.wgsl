// Banks, as in banks.wgsl, in a dispatch that does not change them: plain loads of a word (WORDS) or a vec4. `at` is a part of the bank.
@if(WORDS) alias Part = u32;
@if(!WORDS) alias Part = vec4u;

@group(0) @binding(0) var<storage, read> bank0: array<Part>;
@group(0) @binding(20) var<storage, read> bank1: array<Part>;
@group(0) @binding(21) var<storage, read> bank2: array<Part>;
@group(0) @binding(22) var<storage, read> bank3: array<Part>;
@group(0) @binding(23) var<storage, read> bank4: array<Part>;
@group(0) @binding(24) var<storage, read> last_bank: array<Part>;

fn part_at(at: u32, bank: u32) -> Part {
  switch bank {
    case 0u: { return bank0[at]; }
    @if(BANK_3) case 1u: { return bank1[at]; }
    @if(BANK_4) case 2u: { return bank2[at]; }
    @if(BANK_5) case 3u: { return bank3[at]; }
    @if(BANK_6) case 4u: { return bank4[at]; }
    default: { return last_bank[at]; }
  }
}
