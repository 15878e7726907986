// The fingerprints of a table's slots, beside it in the device's memory: BITS bits a slot, of which those of a bucket's SLOTS slots lie
// together. In a dispatch that changes them they are accessed by atomics only.
//
// Layout: bucket = BITS / 2 words; word i has the fingerprints of PER slots, of slot_of(i, 0) at its lowest bits.
// fingerprint: FREE until a key takes the slot, then bits of the key, then, where the key was erased, ERASED.
import package::kernels::common::hash::mix32;
import package::kernels::bucketed::layout::sizes;
@if(COUNT) import package::kernels::common::count::count_index_read;

// 8 or 16.
override BITS: u32;
override PER: u32 = 32u / BITS;
override WORDS: u32 = BITS / 2u;
override FREE: u32 = (1u << BITS) - 1u;
override ERASED: u32 = FREE - 1u;
const SLOTS = 16u;

// LOOKUP: the kernel only reads, and no other kernel writes meanwhile.
@if(LOOKUP) @group(0) @binding(10) var<storage, read> index: array<vec4u>;
@if(!LOOKUP) @group(0) @binding(10) var<storage, read_write> index: array<atomic<u32>>;

// Its upper bits choose a key's first bucket.
fn hash_of(key: u32) -> u32 { return mix32(key ^ sizes.seed); }

// The bits of a key's hash that follow those which choose its first bucket. Of 2^(32 - BITS) buckets and more no two keys that have one
// first bucket have one fingerprint, but for the last ones, as two values are none.
fn fingerprint_of(key: u32) -> u32 {
  return min((hash_of(key) * sizes.buckets) >> (32u - BITS), ERASED - 1u);
}

fn slot_of(word: u32, part: u32) -> u32 { return word / 4u * 4u * PER + part * 4u + word % 4u; }

// All fingerprints of a bucket; of 8 bits, twice.
struct Fingerprints { first: vec4u, last: vec4u }

@if(LOOKUP) fn four_at(bucket: u32, vec: u32) -> vec4u { return index[bucket * (WORDS / 4u) + vec]; }
@if(!LOOKUP) fn four_at(bucket: u32, vec: u32) -> vec4u {
  let at = bucket * WORDS + 4u * vec;
  return vec4u(atomicLoad(&index[at]), atomicLoad(&index[at + 1u]), atomicLoad(&index[at + 2u]), atomicLoad(&index[at + 3u]));
}

fn fingerprints_in(bucket: u32) -> Fingerprints {
  @if(COUNT) count_index_read();
  return Fingerprints(four_at(bucket, 0u), four_at(bucket, WORDS / 4u - 1u));
}

// The slots that have the fingerprint, a bit each.
fn slots_with(all: Fingerprints, fingerprint: u32) -> u32 {
  let first = alike(all.first, fingerprint);
  return select(first, first | (alike(all.last, fingerprint) << (4u * PER)), WORDS > 4u);
}
fn alike(four: vec4u, fingerprint: u32) -> u32 {
  var slots = 0u;
  for (var part = 0u; part < PER; part++) {
    let same = ((four >> vec4u(part * BITS)) & vec4u(FREE)) == vec4u(fingerprint);
    let bits = select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), same);
    slots |= (bits.x | bits.y | bits.z | bits.w) << (4u * part);
  }
  return slots;
}
