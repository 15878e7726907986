// device/beyond-limits: one lane reads words of a table at random places, each only after the one before it has come back.
// The word of item 0 holds a needle, so that the host can check that it is really read.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::hash::mix32;

struct Sizes { blocks: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read> table: array<u32>;
// Reads.
@group(0) @binding(3) var<uniform> n: u32;
// [0]: reads that saw the needle.
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>, 4>;

const NEEDLE = 0x6e656564u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) lid: u32) {
  if (lid > 0u) { return; }
  var hash = mix32(0u);
  for (var i = 0u; i < n; i++) {
    let seen = table[hash % sizes.blocks];
    if (seen == NEEDLE) { atomicAdd(&status[0], 1u); }
    hash = mix32(seen + i);
  }
}
