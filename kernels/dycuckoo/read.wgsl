// Buckets in a dispatch that does not change them: plain loads of keys, a word (WORDS) or a vec4 each.
// SEVERAL: every sub-table is a buffer, its keys and then its values, and every load chooses one.
@if(SEVERAL) import package::kernels::dycuckoo::places::BUCKET;

@if(WORDS) alias Part = u32;
@if(!WORDS) alias Part = vec4u;
// Parts of a bucket's keys.
@if(WORDS) const PARTS = 32u;
@if(!WORDS) const PARTS = 8u;

@if(!SEVERAL) @group(0) @binding(0) var<storage, read> keys: array<Part>;
@if(!SEVERAL) @group(0) @binding(1) var<storage, read> values: array<u32>;
// T3 … T6: there are so many bindings of sub-tables, at least. The last is the default of every
// switch, and stands in cases that have none.
@if(SEVERAL) @group(0) @binding(0) var<storage, read> t0: array<Part>;
@if(SEVERAL && T3) @group(0) @binding(1) var<storage, read> t1: array<Part>;
@if(SEVERAL && T4) @group(0) @binding(2) var<storage, read> t2: array<Part>;
@if(SEVERAL && T5) @group(0) @binding(3) var<storage, read> t3: array<Part>;
@if(SEVERAL && T6) @group(0) @binding(4) var<storage, read> t4: array<Part>;
@if(SEVERAL && !T3) @group(0) @binding(1) var<storage, read> last: array<Part>;
@if(SEVERAL && T3 && !T4) @group(0) @binding(2) var<storage, read> last: array<Part>;
@if(SEVERAL && T4 && !T5) @group(0) @binding(3) var<storage, read> last: array<Part>;
@if(SEVERAL && T5 && !T6) @group(0) @binding(4) var<storage, read> last: array<Part>;
@if(SEVERAL && T6) @group(0) @binding(5) var<storage, read> last: array<Part>;

@if(!SEVERAL) fn part_of(bucket: u32, i: u32) -> Part { return keys[bucket * PARTS + i]; }
@if(SEVERAL) fn part_of(bucket: u32, i: u32) -> Part {
  let at = (bucket & 0xffffffu) * PARTS + i;
  switch bucket >> 24u {
    case 0u: { return t0[at]; }
    case 1u: { @if(T3) return t1[at]; @else return last[at]; }
    case 2u: { @if(T4) return t2[at]; @else return last[at]; }
    case 3u: { @if(T5) return t3[at]; @else return last[at]; }
    case 4u: { @if(T6) return t4[at]; @else return last[at]; }
    default: { return last[at]; }
  }
}

@if(!SEVERAL) fn value_at(slot: u32) -> u32 { return values[slot]; }
@if(SEVERAL && WORDS) fn word_of(part: Part, i: u32) -> u32 { return part; }
@if(SEVERAL && !WORDS) fn word_of(part: Part, i: u32) -> u32 { return part[i % 4u]; }
@if(SEVERAL) fn value_at(slot: u32) -> u32 {
  const SIZE = BUCKET / PARTS;
  let i = slot & 0x1fffffffu;
  let at = i / SIZE;
  switch slot >> 29u {
    case 0u: { return word_of(t0[arrayLength(&t0) / 2u + at], i); }
    case 1u: { @if(T3) return word_of(t1[arrayLength(&t1) / 2u + at], i); @else return word_of(last[arrayLength(&last) / 2u + at], i); }
    case 2u: { @if(T4) return word_of(t2[arrayLength(&t2) / 2u + at], i); @else return word_of(last[arrayLength(&last) / 2u + at], i); }
    case 3u: { @if(T5) return word_of(t3[arrayLength(&t3) / 2u + at], i); @else return word_of(last[arrayLength(&last) / 2u + at], i); }
    case 4u: { @if(T6) return word_of(t4[arrayLength(&t4) / 2u + at], i); @else return word_of(last[arrayLength(&last) / 2u + at], i); }
    default: { return word_of(last[arrayLength(&last) / 2u + at], i); }
  }
}
