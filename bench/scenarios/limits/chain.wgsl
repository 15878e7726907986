// device/beyond-limits: one lane reads words of a table at random places, each only after the one before it has come back.
// Every run reads other words than the one before it, so that no cache smaller than the table holds them. The first word that
// is read after `seen` was cleared holds a needle, so that the host can check that it is really read.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::hash::mix32;

struct Sizes { blocks: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read> table: array<u32>;
// Reads.
@group(0) @binding(3) var<uniform> n: u32;
// Reads that saw the needle, and reads so far.
struct Seen { needles: atomic<u32>, reads: atomic<u32> }
@group(0) @binding(4) var<storage, read_write> seen: Seen;

const NEEDLE = 0x6e656564u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) lid: u32) {
  if (lid > 0u) { return; }
  let first = atomicLoad(&seen.reads);
  var hash = mix32(first);
  for (var i = first; i < first + n; i++) {
    let word = table[hash % sizes.blocks];
    if (word == NEEDLE) { atomicAdd(&seen.needles, 1u); }
    hash = mix32(word + i);
  }
  atomicStore(&seen.reads, first + n);
}
