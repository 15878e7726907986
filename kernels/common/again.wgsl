// Rows that found no slot, for the larger table that takes the full one's place. One lane a row.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, is_pair};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
@if(STATES) import package::kernels::common::upsert::REFUSED;

@group(0) @binding(0) var<storage, read> keys: array<u32>;
// Without VALUES each row has one that is not reserved.
@if(VALUES) @group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<uniform> range: Range;
@group(0) @binding(3) var<storage, read_write> status: Status;
// What became of each row; without STATES all are asked for.
@if(STATES) @group(0) @binding(4) var<storage, read_write> states: array<u32>;
// The keys of the rows that come again; EMPTY of the others.
@if(STATES) @group(0) @binding(5) var<storage, read_write> again_keys: array<u32>;
// What those rows were told then.
@if(STATES) @group(0) @binding(6) var<storage, read> again_states: array<u32>;
@if(RESULTS) @group(0) @binding(7) var<storage, read> again_results: array<u32>;
@if(RESULTS) @group(0) @binding(8) var<storage, read_write> results: array<u32>;

// Counts the rows that a table with room would take.
@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  if (item >= range.end) { return; }
  let key = keys[item];
  var value = 0u;
  @if(VALUES) value = values[item];
  var comes = is_pair(key, value);
  @if(STATES) comes = comes && states[item] == REFUSED;
  @if(STATES) again_keys[item] = select(EMPTY, key, comes);
  if (comes) { atomicAdd(&status.left, 1u); }
}

@if(STATES) @compute @workgroup_size(WORKGROUP)
fn tell(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  if (item >= range.end || again_keys[item] == EMPTY) { return; }
  states[item] = again_states[item];
  @if(RESULTS) results[item] = again_results[item];
}
