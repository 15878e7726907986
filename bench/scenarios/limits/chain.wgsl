// device/beyond-limits, device/in-flight: each of sizes.lanes reads words of a table at random places, each word only after the one before
// it has come back: one request per lane is in flight.
// Every run reads other words than the one before it, so that no cache smaller than the table holds them. The first word that
// is read by lane 0 after `seen` was cleared holds a needle, so that the host can check that it is really read.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;

struct Sizes { blocks: u32, lanes: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read> table: array<u32>;
// Reads of a lane.
@group(0) @binding(3) var<uniform> n: u32;
// Reads that saw the needle, and each lane's reads so far.
struct Seen { needles: atomic<u32>, reads: array<u32> }
@group(0) @binding(4) var<storage, read_write> seen: Seen;

const NEEDLE = 0x6e656564u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  if (lane >= sizes.lanes) { return; }
  // Lanes go ways of their own.
  let own = lane * 0x9e3779b9u;
  let first = seen.reads[lane];
  var hash = mix32(first ^ own);
  for (var i = first; i < first + n; i++) {
    let word = table[hash % sizes.blocks];
    if (word == NEEDLE) { atomicAdd(&seen.needles, 1u); }
    hash = mix32(word + (i ^ own));
  }
  seen.reads[lane] = first + n;
}
