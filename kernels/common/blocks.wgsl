// Blocks of buckets, one after another: the last one may be smaller. A part of a partitioned build (kernels/partitioned) is a
// whole number of them, and so has all buckets of a key at hand that lie in one.
const BLOCK = 256u;

// Another bucket of the block, by a drawn word; of a block of one bucket, that one.
fn another_of_block(bucket: u32, buckets: u32, drawn: u32) -> u32 {
  let at = bucket % BLOCK;
  let begin = bucket - at;
  let size = min(BLOCK, buckets - begin);
  let away = 1u + drawn % max(size - 1u, 1u);
  return begin + (at + away) % size;
}
