// TITLE. Slot s is two words of `table`: its key, and its value. A key's search begins at a slot that its hash gives and goes on slot by
// slot (linear probing). EMPTY slots end it; DELETED ones, of erased keys, do not.
import package::kernels::common::hash::{mix32, mulhi};

struct Sizes { slots: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

@if(!MULTIPLY) fn hash(key: u32) -> u32 { return mix32(key ^ sizes.seed); }
@if(MULTIPLY) fn hash(key: u32) -> u32 { return (key ^ sizes.seed) * 0x9e3779b1u; }

fn first_slot(key: u32) -> u32 { return mulhi(hash(key), sizes.slots); }
fn next_slot(slot: u32) -> u32 { return select(slot + 1u, 0u, slot + 1u == sizes.slots); }
