// Where a key's probe sequence goes: its bucket; then NEAR others of the block around it (blocks.wgsl), which a partitioned build has in one
// part; then, by double hashing from the first one over a prime number of buckets, all.
import package::kernels::common::blocks::{away_in, block_size, near_after};
import package::kernels::common::hash::{mix32, mix32b, mulhi, stepped};
@if(KEYED) import package::kernels::common::keyed::keyed_hash;

struct Sizes { buckets: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

const NEAR = 6u;

// Probes that look at every bucket.
fn most_probes() -> u32 { return sizes.buckets + NEAR; }

@if(!KEYED) fn first_bucket(key: u32) -> u32 { return bucket_of(mix32(key ^ sizes.seed)); }
@if(KEYED) fn first_bucket(key: u32) -> u32 { return bucket_of(keyed_hash(key ^ sizes.seed)); }
// Ascending with the hash.
fn bucket_of(hash: u32) -> u32 { return mulhi(hash, sizes.buckets); }
// The slot of a bucket that the key tries first.
@if(!KEYED) fn first_slot(key: u32) -> u32 { return slot_of(mix32(key ^ sizes.seed)); }
@if(KEYED) fn first_slot(key: u32) -> u32 { return slot_of(keyed_hash(key ^ sizes.seed)); }
fn slot_of(hash: u32) -> u32 { return hash & 3u; }
@if(!KEYED) fn bucket_step(key: u32) -> u32 { return 1u + mix32b(key + sizes.seed) % (sizes.buckets - 1u); }
@if(KEYED) fn bucket_step(key: u32) -> u32 { return 1u + mix32b(~keyed_hash(key ^ sizes.seed)) % (sizes.buckets - 1u); }

// The bucket after probe number `probe` from 0, which looked at `bucket`.
@if(!KEYED) fn bucket_after(probe: u32, bucket: u32, key: u32) -> u32 {
  if (probe < NEAR) {
    let size = block_size(bucket, sizes.buckets);
    return near_after(probe, bucket, away_in(size, drawn_by(mix32(key ^ sizes.seed))), size);
  }
  return stepped(select(bucket, first_bucket(key), probe == NEAR), bucket_step(key), sizes.buckets);
}
@if(KEYED) fn bucket_after(probe: u32, bucket: u32, key: u32) -> u32 {
  if (probe < NEAR) {
    let size = block_size(bucket, sizes.buckets);
    return near_after(probe, bucket, away_in(size, drawn_by(keyed_hash(key ^ sizes.seed))), size);
  }
  return stepped(select(bucket, first_bucket(key), probe == NEAR), bucket_step(key), sizes.buckets);
}

// The random word from which blocks.wgsl makes their distances.
fn drawn_by(hash: u32) -> u32 { return mix32b(hash); }
