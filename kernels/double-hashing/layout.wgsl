// Where a key's probe sequence goes: double hashing over a prime number of slots, so that every slot is reached; LINEAR: from
// one slot to the next.
import package::kernels::common::hash::{mix32, mix32b, stepped};

struct Sizes { slots: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

fn first_slot(key: u32) -> u32 { return mix32(key ^ sizes.seed) % sizes.slots; }
@if(LINEAR) fn slot_step(key: u32) -> u32 { return 1u; }
@if(!LINEAR) fn slot_step(key: u32) -> u32 { return 1u + mix32b(key + sizes.seed) % (sizes.slots - 1u); }
fn next_slot(slot: u32, step: u32) -> u32 { return stepped(slot, step, sizes.slots); }
