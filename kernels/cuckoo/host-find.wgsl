// Cuckoo hashing with the table in the host's memory: retrieval by rounds, one a function. `ask`: one lane a query, which
// requests the slot of its first function. `resume`: one lane a request, whose pair has come; where it has another key the
// lane requests the slot of the next function.
//
// Job: (slot, item, function, -).
// Conditions: MIXED, only the retrievals of a mixed slice; EARLY_EXIT as in find.wgsl.
// Bound: FUNCTIONS rounds.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::kinds::FIND;
import package::kernels::common::range::Range;
import package::kernels::common::requests::{waiting, request};
import package::kernels::cuckoo::functions::{place, Functions, FUNCTIONS};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<uniform> f: Functions;
@group(0) @binding(7) var<uniform> range: Range;
// The requested pairs.
@group(0) @binding(12) var<storage, read> found_keys: array<u32>;
@group(0) @binding(13) var<storage, read> found_values: array<u32>;
@group(0) @binding(14) var<storage, read_write> results: array<u32>;
@if(MIXED) @group(0) @binding(15) var<storage, read> kinds: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn ask(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  var job = vec4u(0u);
  var asks = false;
  var has_item = item < range.end;
  @if(MIXED) { if (has_item) { has_item = kinds[item] == FIND; } }
  if (has_item) {
    let key = keys[item];
    asks = key < DELETED;
    job = vec4u(place(key, f.constants[0]), item, 0u, 0u);
    if (!asks) { results[item] = EMPTY; }
  }
  request(asks, job, lid);
}

@compute @workgroup_size(WORKGROUP)
fn resume(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid).index;
  var job = vec4u(0u);
  var asks = false;
  if (at < waiting.count) {
    job = waiting.jobs[at];
    let key = keys[job.y];
    let next = job.z + 1u;
    var last = next == FUNCTIONS;
    @if(EARLY_EXIT) last = last || found_keys[at] == EMPTY;
    if (found_keys[at] == key) {
      results[job.y] = found_values[at];
    } else if (last) {
      results[job.y] = EMPTY;
    } else {
      asks = true;
      job = vec4u(place(key, f.constants[next]), job.y, next, 0u);
    }
  }
  request(asks, job, lid);
}
