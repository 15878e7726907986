// Adds up records of workgroups (kernels/common/count.wgsl), RUN of them to one: a lane a word, and one for the sum over
// the records of the longest warp's steps times the warps that have items. Of the longest warps' steps the most remains. RUN is small enough for a u32: a record has 256
// lanes, so up to 2^18 counts a lane on average.

const RUN = 64u;
const WARP_LANES = 32u;
const LANES = 64u;

struct Sizes { words: u32, longest: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read> records: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
struct Place { first_word: u32, records: u32, first_sum: u32 }
@group(0) @binding(2) var<uniform> place: Place;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) word: u32) {
  let run = wid.y * nwg.x + wid.x;
  let first = run * RUN;
  if (word > sizes.words || first >= place.records) { return; }
  var sum = 0u;
  for (var record = first; record < min(first + RUN, place.records); record++) {
    let at = place.first_word + record * sizes.words;
    if (word == sizes.longest) {
      sum = max(sum, records[at + word]);
    } else if (word < sizes.words) {
      sum += records[at + word];
    } else {
      sum += min(8u, (records[at] + WARP_LANES - 1u) / WARP_LANES) * records[at + sizes.longest];
    }
  }
  sums[(place.first_sum + run) * (sizes.words + 1u) + word] = sum;
}
