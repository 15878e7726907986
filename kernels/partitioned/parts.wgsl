// Partitioned build: what its kernels share. A part of a table is LANES buckets, one after another; its pairs lie in a bin.
//
// Of hash h and M buckets, floor(h · M / 2^32) is the bucket.
// A bin is an array of pairs of a fixed size, beside a count that may be larger: pairs beyond the size were left over.
// A pair in a bin is its hash, a bijection of the key, and its value.
import package::kernels::common::hash::mulhi;

// Lanes a workgroup, buckets a part, and bins of a pass at most. 256 is what every adapter takes.
override LANES: u32 = 256u;

struct Plan {
  pairs: u32,
  // Of the table, and of its hashes.
  buckets: u32,
  seed: u32,
  // The bin of a pass is (bucket >> shift) % BINS.
  shift: u32,
  // Where a pass takes pairs from: bins, pairs that one holds, and tiles that these make.
  bins_in: u32,
  size_in: u32,
  tiles: u32,
  // Pairs that an output bin holds.
  size_out: u32,
}

fn bucket_of(hash: u32, buckets: u32) -> u32 { return mulhi(hash, buckets); }

// Number of the bucket in its part, of 512 buckets or a power of two below: the upper bits of floor(h · M / 512) modulo 2^32. h times
// the rest of M by 512 has up to 41 bits, so there h is taken by halves.
fn in_part(hash: u32, buckets: u32) -> u32 {
  let rest = buckets % 512u;
  let product = hash * (buckets / 512u) + (((hash >> 16u) * rest) << 7u) + (((hash & 0xffffu) * rest) >> 9u);
  return (product >> 23u) % LANES;
}
