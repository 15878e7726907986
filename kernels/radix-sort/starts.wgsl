// Radix sort, second dispatch: where each digit begins in the output of each pass, that is row 0 of the pass. One workgroup a
// pass, a lane a digit. Leaves the counts at zero, for the next sort.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::scan::group_scan;
import package::kernels::radix_sort::digits::{DIGITS, ALL};

@group(0) @binding(0) var<storage, read_write> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> rows: array<u32>;
// Words of a pass's rows.
@group(0) @binding(2) var<uniform> words: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = wid.x * DIGITS + lid;
  var count = 0u;
  if (lid < DIGITS) { count = counts[at]; }
  let all = group_scan(count, lid);
  if (lid < DIGITS) {
    rows[wid.x * words + lid] = ALL | all.before;
    counts[at] = 0u;
  }
}
