// Ordering of a batch (ours, not the paper's; order.ts): what its kernels share. A region of the table is 2^shift buckets, one
// after another, of all sub-tables; a pair belongs to the region of the bucket that it goes to first.
import package::kernels::dycuckoo::places::first_place;

// At most so many: REGIONS of order.ts.
const REGIONS = 128u;

struct Order {
  // Pairs first … first + n - 1 of the input.
  first: u32,
  n: u32,
  shift: u32,
  // How many there are.
  regions: u32,
}
@group(0) @binding(13) var<uniform> order: Order;
@group(0) @binding(10) var<storage, read> keys_in: array<u32>;

fn region_of(key: u32) -> u32 { return first_place(key) >> order.shift; }
