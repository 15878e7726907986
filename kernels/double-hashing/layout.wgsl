// Where a key's probe sequence goes: double hashing over a prime number of slots, so that every slot is reached.
import package::kernels::common::hash::{mix32, mix32b};

override SLOTS: u32;
override SEED: u32;

fn first_slot(key: u32) -> u32 { return mix32(key ^ SEED) % SLOTS; }
fn slot_step(key: u32) -> u32 { return 1u + mix32b(key + SEED) % (SLOTS - 1u); }
fn next_slot(slot: u32, step: u32) -> u32 {
  let next = slot + step;
  return select(next, next - SLOTS, next >= SLOTS);
}
