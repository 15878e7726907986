// Blocks of buckets, one after another: the last one may be smaller. A part of a partitioned build (kernels/partitioned) is a
// whole number of blocks, so that the buckets of a key that lie in one block are built together.
const BLOCK = 256u;

// Buckets of the block that the bucket is in.
fn block_size(bucket: u32, buckets: u32) -> u32 { return min(BLOCK, buckets - bucket / BLOCK * BLOCK); }
// The distance to another bucket of a block of that size, from the upper half of a random word: 1 … size - 1, or 1 if size is 1.
fn away_in(size: u32, drawn: u32) -> u32 { return 1u + (((drawn >> 16u) * (size - 1u)) >> 16u); }
// The bucket at that distance, at most the size; behind the block's last bucket comes its first.
fn further(bucket: u32, away: u32, size: u32) -> u32 {
  return bucket + away - select(0u, size, bucket % BLOCK + away >= size);
}

// A key's near buckets, after its own: each bucket's neighbour, with which it fills 64 bytes that memory is read by, then another one of the
// block; a last bucket without a neighbour comes twice. The one after probe number `probe` from 0, which looked at `bucket`.
fn near_after(probe: u32, bucket: u32, away: u32, size: u32) -> u32 {
  if (probe % 2u != 0u) { return further(bucket, away, size); }
  let neighbour = bucket ^ 1u;
  return select(neighbour, bucket, neighbour % BLOCK >= size);
}
