// Sorted array, after the sort: how many words were reserved ones and no keys. They are EMPTY or DELETED, the two largest words, and so the last of
// the array, where no search looks for them. One lane; binary search.
// Bound of the loop: 32, for fewer than 2^32 pairs.
import package::kernels::common::keys::DELETED;
import package::kernels::common::status::Status;

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> pairs: u32;
@group(0) @binding(2) var<storage, read_write> status: Status;

@compute @workgroup_size(1)
fn main() {
  var low = 0u;
  var high = pairs;
  for (var probe = 0u; probe < 32u && low < high; probe++) {
    let middle = low + (high - low) / 2u;
    if (keys[middle] < DELETED) { low = middle + 1u; } else { high = middle; }
  }
  atomicStore(&status.refused, pairs - low);
}
