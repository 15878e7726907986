// Adds up records of workgroups (kernels/common/count.wgsl), RUN of them to one: a lane a word, and one for the sum over
// the records of the longest warp's steps times the warps that have items. RUN is small enough for a u32: a record has 256
// lanes, so up to 2^18 counts a lane on average.

const RUN = 64u;
const WARP_LANES = 32u;
const LANES = 32u;

struct Sizes { words: u32, longest: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read> records: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
// Records, and the first of the sums that are written.
@group(0) @binding(2) var<uniform> place: vec2u;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) word: u32) {
  let run = wid.y * nwg.x + wid.x;
  let first = run * RUN;
  if (word > sizes.words || first >= place.x) { return; }
  var sum = 0u;
  for (var record = first; record < min(first + RUN, place.x); record++) {
    let at = record * sizes.words;
    if (word < sizes.words) {
      sum += records[at + word];
    } else {
      sum += min(8u, (records[at] + WARP_LANES - 1u) / WARP_LANES) * records[at + sizes.longest];
    }
  }
  sums[(place.y + run) * (sizes.words + 1u) + word] = sum;
}
