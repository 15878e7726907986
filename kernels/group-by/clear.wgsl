// Group-by: empties the table in global memory. Condition IF_FAILED: only where partitions had no room for some row, so that all groups go
// to it; IF_LEFT: only where it is wanted for rows that are left, and not empty yet.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::status::StatusWords;
import package::kernels::group_by::table::{STRIDE, neutral, plan};

@group(0) @binding(0) var<storage, read_write> table_words: array<vec4u>;
@if(IF_FAILED || IF_LEFT) @group(0) @binding(1) var<storage, read> status: StatusWords;

fn word_of(at: u32) -> u32 { return select(neutral(at % STRIDE - 1u), EMPTY, at % STRIDE == 0u); }

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(IF_FAILED) { if (status.failed == 0u) { return; } }
  @if(IF_LEFT) { if (status.failed != 0u || status.left == 0u) { return; } }
  // One slot more than the hashes name, and then to a whole vec4.
  let words = ((1u << (32u - plan.shift)) + 1u) * STRIDE;
  let step = nwg.x * nwg.y * WORKGROUP;
  for (var at = grid(wid, nwg, lid).index; 4u * at < words; at += step) {
    table_words[at] = vec4u(word_of(4u * at), word_of(4u * at + 1u), word_of(4u * at + 2u), word_of(4u * at + 3u));
  }
}
