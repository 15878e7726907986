// Cuckoo hashing with the table in the host's memory: a build by rounds. `ask`: one lane a pair, which requests the slot of its
// first function. The host exchanges the pair there and sends the evicted one back. `resume`: one lane an exchange, which
// requests the next slot of the evicted pair; the chain has ended if the slot was EMPTY.
//
// Job: (slot, key, value, evictions before).
// Condition MIXED: only the insertions of a mixed slice, each of which is answered.
// Bound: `chain` evictions, and so as many rounds.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, is_pair};
import package::kernels::common::kinds::INSERT;
import package::kernels::common::range::Range;
import package::kernels::common::requests::{waiting, asked, request};
import package::kernels::cuckoo::functions::place;
import package::kernels::cuckoo::insert::{next_place, f};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
// Binding 3: `f`, the hash functions.
@group(0) @binding(7) var<uniform> range: Range;
// The evicted pairs.
@group(0) @binding(12) var<storage, read> found_keys: array<u32>;
@group(0) @binding(13) var<storage, read> found_values: array<u32>;
@if(MIXED) @group(0) @binding(14) var<storage, read_write> results: array<u32>;
@if(MIXED) @group(0) @binding(15) var<storage, read> kinds: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn ask(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  var job = vec4u(0u);
  var asks = false;
  var has_item = item < range.end;
  @if(MIXED) { if (has_item) { has_item = kinds[item] == INSERT; } }
  if (has_item) {
    let key = keys[item];
    let value = values[item];
    asks = is_pair(key, value);
    if (asks) { job = vec4u(place(key, f.constants[0]), key, value, 0u); }
    else { atomicAdd(&asked.status.refused, 1u); }
    @if(MIXED) results[item] = u32(asks);
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
    let key = found_keys[at];
    let evictions = job.w + 1u;
    asks = key != EMPTY && evictions < f.chain;
    if (key != EMPTY && !asks) { atomicAdd(&asked.status.failed, 1u); }
    job = vec4u(next_place(key, job.x), key, found_values[at], evictions);
  }
  request(asks, job, lid);
}
