// Distinct, of the first row of each key: a bit for every row, and the rows whose bit is set in their order. `mark_firsts` sets the bits, a lane a
// key; `count_marks` has the bits of each word of 32 rows; after a prefix sum over these `write_rows` lists the rows, a lane a word.
// Condition RECORDED: there may be fewer keys, and the others have no first row, EMPTY; the bits are copied.
// Bounds: the bits of a word.
import package::kernels::common::grid::{grid, WORKGROUP};
@if(RECORDED) import package::kernels::common::keys::EMPTY;

struct DistinctPlan { keys: u32, words: u32 }
@group(0) @binding(0) var<uniform> distinct_plan: DistinctPlan;
@group(0) @binding(1) var<storage, read> firsts: array<u32>;
// Zero at first.
@group(0) @binding(2) var<storage, read_write> marks: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> marks_in: array<u32>;
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> rows: array<u32>;
@if(RECORDED) @group(0) @binding(6) var<storage, read_write> marks_out: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn mark_firsts(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let key = grid(wid, nwg, lid).index;
  @if(RECORDED) { if (key < distinct_plan.keys && firsts[key] == EMPTY) { return; } }
  if (key < distinct_plan.keys) { atomicOr(&marks[firsts[key] / 32u], 1u << (firsts[key] % 32u)); }
}

@compute @workgroup_size(WORKGROUP)
fn count_marks(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let word = grid(wid, nwg, lid).index;
  if (word < distinct_plan.words) { offsets[word] = countOneBits(marks_in[word]); }
  @if(RECORDED) { if (word < distinct_plan.words) { marks_out[word] = marks_in[word]; } }
}

@compute @workgroup_size(WORKGROUP)
fn write_rows(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let word = grid(wid, nwg, lid).index;
  if (word >= distinct_plan.words) { return; }
  var at = offsets[word];
  for (var bits = marks_in[word]; bits != 0u; bits &= bits - 1u) {
    rows[at] = 32u * word + firstTrailingBit(bits);
    at++;
  }
}
