// Stadium hashing with the table in the host's memory: retrieval and deletion by rounds. `ask`: one lane a key, which walks the
// ticket-board (Figs. 9 and 10) to the first slot that may hold its key, and requests that slot. `resume`: one lane a request,
// whose pair has come; where it has another key the lane walks on to the next request.
//
// Job: (slot, item, slots looked at so far, this one among them, -).
// Conditions: BOARD, ERASED and PASSED as in find.wgsl; ERASE, free the ticket of the found key in place of giving its value; MIXED,
// only the erasures of a mixed slice, each of which is answered.
// Bound of the walk: sizes.slots; with ERASED, the longest insertion.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::kinds::ERASE as ERASURE;
import package::kernels::common::range::Range;
import package::kernels::common::records::{Key, Value, is_key, same_key, first_word, no_value};
import package::kernels::common::requests::{waiting, asked, request};
@if(BOARD) import package::kernels::stash::board::{ticket_at, is_free, may_hold, ends};
@if(ERASE) import package::kernels::stash::board::release;
import package::kernels::stash::hash::{first_slot, slot_step, next_slot, info_of, sizes};
@if(MIXED) import package::kernels::stash::mixed::answer;

@group(0) @binding(5) var<storage, read> keys: array<Key>;
@group(0) @binding(7) var<uniform> range: Range;
@if(ERASED) @group(0) @binding(9) var<storage, read> longest_probe: u32;
// The requested pairs.
@group(0) @binding(12) var<storage, read> found_keys: array<Key>;
@group(0) @binding(13) var<storage, read> found_values: array<Value>;
@group(0) @binding(14) var<storage, read_write> results: array<Value>;
@if(MIXED) @group(0) @binding(15) var<storage, read> kinds: array<u32>;

// Slots that a walk looks at, at most.
fn bound() -> u32 {
  @if(ERASED) return longest_probe;
  @else return sizes.slots;
}

// From the job's slot on, the first one of which the table has to be asked. False: the key is not in the table.
fn seek(key: Key, job: ptr<function, vec4u>, most: u32) -> bool {
  let step = slot_step(key);
  let info = info_of(key);
  var slot = (*job).x;
  for (var probe = (*job).z; probe <= most; probe++) {
    var asks = true;
    @if(BOARD) {
      let ticket = ticket_at(slot);
      asks = !is_free(ticket) && may_hold(ticket, info);
      if (!asks && ends(ticket)) { return false; }
    }
    if (asks) {
      *job = vec4u(slot, (*job).y, probe, 0u);
      return true;
    }
    slot = next_slot(slot, step);
  }
  return false;
}

fn seek_first(key: Key, job: ptr<function, vec4u>, most: u32) -> bool {
  if (!is_key(key)) { return false; }
  *job = vec4u(first_slot(key), (*job).y, 1u, 0u);
  return seek(key, job, most);
}

fn absent(item: u32) {
  @if(!ERASE) results[item] = no_value();
  @if(MIXED) results[item] = answer(0u);
}

fn present(job: vec4u, at: u32) {
  @if(!ERASE) results[job.y] = found_values[at];
  @if(ERASE) {
    // Of several lanes with one key, one erases it.
    let erased = release(job.x);
    if (erased) { atomicAdd(&asked.status.changed, 1u); }
    @if(MIXED) results[job.y] = answer(u32(erased));
  }
}

@compute @workgroup_size(WORKGROUP)
fn ask(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  var job = vec4u(0u, item, 0u, 0u);
  var asks = false;
  var has_item = item < range.end;
  @if(MIXED) { if (has_item) { has_item = kinds[item] == ERASURE; } }
  if (has_item) {
    asks = seek_first(keys[item], &job, bound());
    if (!asks) { absent(item); }
  }
  request(asks, job, lid);
}

// Sees the pair of the job's slot. Returns whether another slot has to be asked for, which is then in the job.
fn go_on(job: ptr<function, vec4u>, at: u32) -> bool {
  let key = keys[(*job).y];
  if (same_key(found_keys[at], key)) {
    present(*job, at);
    return false;
  }
  @if(PASSED && BOARD) {
    if (ends(ticket_at((*job).x))) {
      absent((*job).y);
      return false;
    }
  }
  // Without ticket-board, a slot that nothing was written to ends the search.
  @if(!BOARD) {
    if (first_word(found_keys[at]) == EMPTY) {
      absent((*job).y);
      return false;
    }
  }
  *job = vec4u(next_slot((*job).x, slot_step(key)), (*job).y, (*job).z + 1u, 0u);
  if (seek(key, job, bound())) { return true; }
  absent((*job).y);
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn resume(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid).index;
  var job = vec4u(0u);
  var asks = false;
  if (at < waiting.count) {
    job = waiting.jobs[at];
    asks = go_on(&job, at);
  }
  request(asks, job, lid);
}
