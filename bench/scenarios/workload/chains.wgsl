// Joins by a table of chains: how many results each row of the probe side has. A lane a row, and one that ends the list with a 0.
// Condition RANGES: answers are (first, number of partners), EMPTY without any; else a value, or EMPTY. ABSENT: rows without a partner have one
// result, and others none.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;

@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> answers: array<u32>;
@group(0) @binding(2) var<storage, read_write> offsets: array<u32>;

@if(RANGES) fn results_of(row: u32) -> u32 { return select(0u, answers[2u * row + 1u], answers[2u * row] != EMPTY); }
@if(!RANGES && !ABSENT) fn results_of(row: u32) -> u32 { return select(0u, 1u, answers[row] != EMPTY); }
@if(!RANGES && ABSENT) fn results_of(row: u32) -> u32 { return select(0u, 1u, answers[row] == EMPTY); }

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row > n) { return; }
  var results = 0u;
  if (row < n) { results = results_of(row); }
  offsets[row] = results;
}
