// Tables whose keys have two words: where a key may be. A block is a slot of double hashing or, BUCKETS, a bucket. The table's own layout.wgsl has
// its order of the blocks, by one word that is made of the two.
//
// Layout: a block of IN_BLOCK slots has, one after another,
//   the first words of their keys
//   the second words
//   the values
//   as many words that are not used: a slot takes 16 bytes, so that a vec4 is a slot, or a part of a bucket
import package::kernels::common::keys::{EMPTY, DELETED};
@if(!KEYED) import package::kernels::common::hash::mix32;
@if(KEYED) import package::kernels::common::keyed::keyed_hash;
@if(!BUCKETS) import package::kernels::double_hashing::layout::{sizes, first_slot, slot_step, next_slot};
@if(BUCKETS) import package::kernels::bucketed::layout::{sizes, first_bucket, first_slot, bucket_after, most_probes};

@if(!BUCKETS) const IN_BLOCK = 1u;
@if(BUCKETS) const IN_BLOCK = 4u;
@if(!BUCKETS) const BLOCK_WORDS = 4u;
@if(BUCKETS) const BLOCK_WORDS = 16u;

// The first word says whether a slot is free, the second one whether it has a key yet.
fn is_key(key: vec2u) -> bool { return key.x < DELETED && key.y != EMPTY; }

// Keys that have one word in common have different hashes.
@if(!KEYED) fn hash_of(key: vec2u) -> u32 { return mix32(key.x ^ sizes.seed) ^ key.y; }
@if(KEYED) fn hash_of(key: vec2u) -> u32 { return keyed_hash(key.x ^ sizes.seed) ^ key.y; }

@if(!BUCKETS) fn first_block(hash: u32) -> u32 { return first_slot(hash); }
@if(BUCKETS) fn first_block(hash: u32) -> u32 { return first_bucket(hash); }
// The block after probe number `probe` from 0, which looked at `number`.
@if(!BUCKETS) fn block_after(probe: u32, number: u32, hash: u32) -> u32 { return next_slot(number, slot_step(hash)); }
@if(BUCKETS) fn block_after(probe: u32, number: u32, hash: u32) -> u32 { return bucket_after(probe, number, hash); }
// Probes that look at every block.
@if(!BUCKETS) fn most_blocks() -> u32 { return sizes.slots; }
@if(BUCKETS) fn most_blocks() -> u32 { return most_probes(); }
// The slot of a block that the key tries first.
@if(!BUCKETS) fn first_inside(hash: u32) -> u32 { return 0u; }
@if(BUCKETS) fn first_inside(hash: u32) -> u32 { return first_slot(hash); }
