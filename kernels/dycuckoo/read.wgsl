// Buckets in a dispatch that does not change them: plain loads of keys, a word (WORDS) or a vec4 each.
// SEVERAL, BESIDE: as in words.wgsl; BESIDE is of WORDS alone.
import package::kernels::common::banks::At;
import package::kernels::common::parts::{Part, PART_WORDS};
import package::kernels::dycuckoo::places::BUCKET;
@if(SEVERAL) import package::kernels::common::parts::{part_at, bank_parts};
@if(SEVERAL) import package::kernels::dycuckoo::places::{table_of, slot_in};

@if(!SEVERAL) @group(0) @binding(0) var<storage, read> keys: array<Part>;
@if(!SEVERAL && !BESIDE) @group(0) @binding(1) var<storage, read> values: array<u32>;

// A part of a bucket's keys.
@if(!SEVERAL && !BESIDE) fn part_of(bucket: u32, i: u32) -> Part { return keys[bucket * (BUCKET / PART_WORDS) + i]; }
@if(BESIDE) fn part_of(bucket: u32, i: u32) -> Part { return keys[2u * (bucket * BUCKET + i)]; }
@if(SEVERAL) fn part_of(bucket: u32, i: u32) -> Part {
  let slot = bucket * BUCKET;
  return part_at(At(table_of(slot), slot_in(slot) / PART_WORDS + i));
}

@if(!SEVERAL && !BESIDE) fn value_at(slot: u32) -> u32 { return values[slot]; }
@if(BESIDE) fn value_at(slot: u32) -> u32 { return keys[2u * slot + 1u]; }
@if(SEVERAL) fn value_at(slot: u32) -> u32 {
  let table = table_of(slot);
  let part = part_at(At(table, bank_parts(table) / 2u + slot_in(slot) / PART_WORDS));
  @if(WORDS) return part;
  @if(!WORDS) return part[slot % PART_WORDS];
}
