// A slab list's node, and which list a key is in (Ashkiani et al., IPDPS 2018, sections III and IV.B).
//
// Layout of a slab's 32 words:
//   pairs      word 2i key, word 2i+1 value of slot i, 15 slots
//   KEYS       word i key of slot i, 30 slots
//   word 30    EMPTY always
//   word 31    address of the list's next slab; EMPTY at its tail
// Each list begins with a base slab; the other slabs come from the allocator, which numbers them from 0 and gives them EMPTY.
//
// Addresses are 32 bits:
//   in one array (SlabAlloc-light, bump)   its index there: base slabs, then the allocator's
//   SUPER, in several (SlabAlloc)          8 bits super block, 14 memory block, 10 unit; BASE stands for the base slabs' array
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::hash::mix32;

struct Sizes { buckets: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

const SLAB_WORDS = 32u;
const NEXT = 31u;
@if(KEYS) const SLOTS = 30u;
@if(!KEYS) const SLOTS = 15u;
// From a key to the next slot's.
@if(KEYS) const PITCH = 1u;
@if(!KEYS) const PITCH = 2u;

fn bucket_of(key: u32) -> u32 { return mix32(key ^ sizes.seed) % sizes.buckets; }

@if(!SUPER) fn base_slab(bucket: u32) -> u32 { return bucket; }
@if(!SUPER) fn address_of(number: u32) -> u32 { return sizes.buckets + number; }
@if(!SUPER) fn number_of(address: u32) -> u32 { return address - sizes.buckets; }

@if(SUPER) const BASE = 0xfeu;
@if(SUPER) const SUPER_SHIFT = 24u;
@if(SUPER) const IN_SUPER = (1u << SUPER_SHIFT) - 1u;
// Number of each super block's first slab, and of the one after the last.
@if(SUPER) struct Starts { second: u32, third: u32, fourth: u32, end: u32 }
@if(SUPER) @group(0) @binding(30) var<uniform> starts: Starts;

@if(SUPER) fn base_slab(bucket: u32) -> u32 { return (BASE << SUPER_SHIFT) | bucket; }
@if(SUPER) fn address_of(number: u32) -> u32 {
  if (number < starts.second) { return number; }
  if (number < starts.third) { return (1u << SUPER_SHIFT) | (number - starts.second); }
  if (number < starts.fourth) { return (2u << SUPER_SHIFT) | (number - starts.third); }
  return (3u << SUPER_SHIFT) | (number - starts.fourth);
}
@if(SUPER) fn number_of(address: u32) -> u32 {
  let at = address & IN_SUPER;
  switch address >> SUPER_SHIFT {
    case 0u: { return at; }
    case 1u: { return starts.second + at; }
    case 2u: { return starts.third + at; }
    default: { return starts.fourth + at; }
  }
}

// Of so many words (or parts) that slabs have, the first one.
@if(!SUPER) fn place_of(slab: u32, words: u32) -> At { return block_at(slab, words); }
@if(SUPER) fn place_of(slab: u32, words: u32) -> At { return At(slab >> SUPER_SHIFT, (slab & IN_SUPER) * words); }
fn word_in(slab: u32, i: u32) -> At { return offset(place_of(slab, SLAB_WORDS), i); }
