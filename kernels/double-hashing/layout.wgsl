// Where a key's probe sequence goes: double hashing over a prime number of slots, so that every slot is reached; LINEAR: from
// one slot to the next; TEXTBOOK: so over a power of two of slots, from the upper bits of a product.
@if(!TEXTBOOK) import package::kernels::common::hash::{mix32, stepped};
@if(!LINEAR) import package::kernels::common::hash::mix32b;
@if(KEYED) import package::kernels::common::keyed::keyed_hash;

struct Sizes { slots: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

@if(!TEXTBOOK && !KEYED) fn first_slot(key: u32) -> u32 { return mix32(key ^ sizes.seed) % sizes.slots; }
@if(!TEXTBOOK && KEYED) fn first_slot(key: u32) -> u32 { return keyed_hash(key ^ sizes.seed) % sizes.slots; }
// 2^32 / the golden ratio (Knuth, The Art of Computer Programming, 6.4).
@if(TEXTBOOK && !KEYED) fn first_slot(key: u32) -> u32 {
  return ((key ^ sizes.seed) * 0x9e3779b9u) >> countLeadingZeros(sizes.slots - 1u);
}
@if(TEXTBOOK && KEYED) fn first_slot(key: u32) -> u32 { return keyed_hash(key ^ sizes.seed) >> countLeadingZeros(sizes.slots - 1u); }
@if(LINEAR) fn slot_step(key: u32) -> u32 { return 1u; }
@if(!LINEAR && !KEYED) fn slot_step(key: u32) -> u32 { return 1u + mix32b(key + sizes.seed) % (sizes.slots - 1u); }
@if(!LINEAR && KEYED) fn slot_step(key: u32) -> u32 { return 1u + mix32b(keyed_hash(key ^ sizes.seed)) % (sizes.slots - 1u); }
@if(!TEXTBOOK) fn next_slot(slot: u32, step: u32) -> u32 { return stepped(slot, step, sizes.slots); }
@if(TEXTBOOK) fn next_slot(slot: u32, step: u32) -> u32 { return (slot + step) & (sizes.slots - 1u); }
