// Where a key's probe sequence goes: double hashing over a prime number of buckets, so that every bucket is reached.
import package::kernels::common::hash::{mix32, mix32b, mulhi};

struct Sizes { buckets: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

fn first_bucket(key: u32) -> u32 { return bucket_of(mix32(key ^ sizes.seed)); }
// Ascending with the hash.
fn bucket_of(hash: u32) -> u32 { return mulhi(hash, sizes.buckets); }
// The slot of a bucket that the key tries first.
fn first_slot(key: u32) -> u32 { return slot_of(mix32(key ^ sizes.seed)); }
fn slot_of(hash: u32) -> u32 { return hash & 3u; }
fn bucket_step(key: u32) -> u32 { return 1u + mix32b(key + sizes.seed) % (sizes.buckets - 1u); }
fn next_bucket(bucket: u32, step: u32) -> u32 {
  let next = bucket + step;
  return select(next, next - sizes.buckets, next >= sizes.buckets);
}
