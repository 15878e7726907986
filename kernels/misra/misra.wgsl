// Misra and Chaudhuri's lock-free set of keys: bulk operations, and operations of all kinds in one dispatch. One lane an
// operation. Layout and bounds in list.wgsl.
//
// Every insertion gets a node of its own, as in the paper: a workgroup takes nodes for all of its insertions at once. A node
// stays unused where the key is in the set already.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::kinds::{INSERT, FIND};
import package::kernels::common::status::Status;
import package::kernels::misra::list::{insert, erase, contains, length, linked, stuck, sizes, END};
@if(COUNT) import package::kernels::common::count::{count_once, PROLOGUE, count_flush};

struct Batch {
  // Operations first … first + count - 1 of the input.
  first: u32,
  count: u32,
  nodes: u32,
  // Always 0, which the compiler does not know.
  zero: u32,
}
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<storage, read> kinds: array<u32>;
@group(0) @binding(4) var<uniform> batch: Batch;
// distinct: nodes linked, or (count_keys) keys of the set.  bound: lanes that reached one.
@group(0) @binding(5) var<storage, read_write> status: Status;
// Nodes that were taken since the table was cleared.
@group(0) @binding(6) var<storage, read_write> taken: atomic<u32>;

var<workgroup> wanted: atomic<u32>;
var<workgroup> first_node: u32;

// A node for every lane that wants one; END if there is none left. Called by all lanes of the workgroup.
fn take_node(wants: bool, local_index: u32) -> u32 {
  var rank = 0u;
  if (wants) { rank = atomicAdd(&wanted, 1u); }
  workgroupBarrier();
  if (local_index == 0u) {
    let count = atomicLoad(&wanted);
    let first = atomicAdd(&taken, count);
    // Taken back: the counter of a table that stays full would overflow in the end, and give out node 0 again.
    if (first >= batch.nodes) { atomicSub(&taken, count); }
    first_node = first;
  }
  let node = workgroupUniformLoad(&first_node) + rank;
  return select(END, node, wants && node < batch.nodes);
}

fn report_stuck() {
  if (stuck) { atomicAdd(&status.bound, 1u); }
}

var<workgroup> linked_here: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn insert_keys(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < batch.count;
  var key = EMPTY;
  if (has_item) { key = keys[batch.first + at.index]; }
  let node = take_node(key < DELETED, lid);
  if (has_item) {
    @if(COUNT) count_once(PROLOGUE);
    if (key >= DELETED || !insert(key, node, batch.zero)) { atomicAdd(&status.refused, 1u); }
    report_stuck();
  }
  if (linked) { atomicAdd(&linked_here, 1u); }
  workgroupBarrier();
  if (lid == 0u) { atomicAdd(&status.distinct, atomicLoad(&linked_here)); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}

fn is_member(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  return key < DELETED && contains(key);
}

@compute @workgroup_size(WORKGROUP)
fn find_keys(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < batch.count;
  if (has_item) { results[at.index] = select(EMPTY, 1u, is_member(keys[at.index])); }
  report_stuck();
  @if(COUNT) count_flush(at.group, lid, has_item);
}

fn erases(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  return key < DELETED && erase(key);
}

@compute @workgroup_size(WORKGROUP)
fn erase_keys(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < batch.count;
  if (has_item && erases(keys[at.index])) { atomicAdd(&status.changed, 1u); }
  report_stuck();
  @if(COUNT) count_flush(at.group, lid, has_item);
}

fn operate(kind: u32, key: u32, node: u32) -> u32 {
  if (kind == FIND) { return select(EMPTY, 1u, is_member(key)); }
  if (kind != INSERT) { return select(0u, 1u, erases(key)); }
  @if(COUNT) count_once(PROLOGUE);
  if (key < DELETED && insert(key, node, batch.zero)) { return 1u; }
  atomicAdd(&status.refused, 1u);
  return 0u;
}

@compute @workgroup_size(WORKGROUP)
fn mixed(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < batch.count;
  let item = batch.first + at.index;
  var kind = FIND;
  var key = EMPTY;
  if (has_item) {
    kind = kinds[item];
    key = keys[item];
  }
  let node = take_node(has_item && kind == INSERT && key < DELETED, lid);
  if (has_item) { results[item] = operate(kind, key, node); }
  report_stuck();
  @if(COUNT) count_flush(at.group, lid, has_item);
}

// The keys of the set. One lane a bucket.
@compute @workgroup_size(WORKGROUP)
fn count_keys(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bucket = grid(wid, nwg, lid).index;
  if (bucket < sizes.buckets) { atomicAdd(&status.distinct, length(bucket)); }
  report_stuck();
}
