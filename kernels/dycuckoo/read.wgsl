// Buckets in a dispatch that does not change them: plain loads of keys, a word (WORDS) or a vec4 each.
// SEVERAL: as in words.wgsl.
import package::kernels::common::banks_read::Part;
@if(SEVERAL) import package::kernels::common::banks_read::{part_at, bank0, bank1, bank2, bank3, bank4, last_bank};
@if(SEVERAL) import package::kernels::dycuckoo::places::BUCKET;

// Parts of a bucket's keys.
@if(WORDS) const PARTS = 32u;
@if(!WORDS) const PARTS = 8u;

@if(!SEVERAL) @group(0) @binding(0) var<storage, read> keys: array<Part>;
@if(!SEVERAL) @group(0) @binding(1) var<storage, read> values: array<u32>;

@if(!SEVERAL) fn part_of(bucket: u32, i: u32) -> Part { return keys[bucket * PARTS + i]; }
@if(SEVERAL) fn part_of(bucket: u32, i: u32) -> Part { return part_at((bucket & 0xffffffu) * PARTS + i, bucket >> 24u); }

@if(!SEVERAL) fn value_at(slot: u32) -> u32 { return values[slot]; }
@if(SEVERAL && WORDS) fn word_of(part: Part, i: u32) -> u32 { return part; }
@if(SEVERAL && !WORDS) fn word_of(part: Part, i: u32) -> u32 { return part[i % 4u]; }
@if(SEVERAL) fn value_at(slot: u32) -> u32 {
  const SIZE = BUCKET / PARTS;
  let i = slot & 0x1fffffffu;
  let at = i / SIZE;
  switch slot >> 29u {
    case 0u: { return word_of(bank0[arrayLength(&bank0) / 2u + at], i); }
    @if(BANK_3) case 1u: { return word_of(bank1[arrayLength(&bank1) / 2u + at], i); }
    @if(BANK_4) case 2u: { return word_of(bank2[arrayLength(&bank2) / 2u + at], i); }
    @if(BANK_5) case 3u: { return word_of(bank3[arrayLength(&bank3) / 2u + at], i); }
    @if(BANK_6) case 4u: { return word_of(bank4[arrayLength(&bank4) / 2u + at], i); }
    default: { return word_of(last_bank[arrayLength(&last_bank) / 2u + at], i); }
  }
}
