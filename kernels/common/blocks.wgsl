// Blocks of buckets, one after another: the last one may be smaller. A part of a partitioned build (kernels/partitioned) is a
// whole number of them, and so has all buckets of a key at hand that lie in one.
const BLOCK = 256u;

// Buckets of the block that the bucket is in.
fn block_size(bucket: u32, buckets: u32) -> u32 { return min(BLOCK, buckets - bucket / BLOCK * BLOCK); }
// How far away another bucket of a block of that size is, by the upper half of a drawn word: 1 … size - 1, and 1 if size is 1.
fn away_in(size: u32, drawn: u32) -> u32 { return 1u + (((drawn >> 16u) * (size - 1u)) >> 16u); }
// The bucket so far away, at most the size, round the block.
fn further(bucket: u32, away: u32, size: u32) -> u32 {
  return bucket + away - select(0u, size, bucket % BLOCK + away >= size);
}

// Another bucket of the block, by a drawn word; of a block of one bucket, that one.
fn another_of_block(bucket: u32, buckets: u32, drawn: u32) -> u32 {
  let size = block_size(bucket, buckets);
  return further(bucket, away_in(size, drawn), size);
}
