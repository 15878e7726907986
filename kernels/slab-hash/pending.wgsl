// Operations that found no slab and are to be done again: a bit each, in a buffer of its own or, PENDING_IN_POOL, behind the bits of the
// slabs of so many memory blocks: kernels that bind many banks have no buffer to spare.
@if(PENDING_IN_POOL) import package::kernels::slab_hash::alloc::{pool as pending, UNITS};

@if(!PENDING_IN_POOL) @group(0) @binding(6) var<storage, read_write> pending: array<atomic<u32>>;

@if(!PENDING_IN_POOL) fn word_of(item: u32, blocks: u32) -> u32 { return item / 32u; }
@if(PENDING_IN_POOL) fn word_of(item: u32, blocks: u32) -> u32 { return (blocks * UNITS + item) / 32u; }
fn bit_of(item: u32) -> u32 { return 1u << (item % 32u); }

fn is_pending(item: u32, blocks: u32) -> bool {
  return (atomicLoad(&pending[word_of(item, blocks)]) & bit_of(item)) != 0u;
}
fn set_pending(item: u32, blocks: u32) { atomicOr(&pending[word_of(item, blocks)], bit_of(item)); }
fn clear_pending(item: u32, blocks: u32) { atomicAnd(&pending[word_of(item, blocks)], ~bit_of(item)); }
