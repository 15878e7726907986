// A workload of repeated keys, and the checks of what a table of them answers. The items are numbered twice: item i stands at
// place i of the input and has rank r = shuffled(i); its key is number r mod `distinct`, its value a function of r. So the
// values of key number d are those of ranks d, d + distinct, d + 2 distinct … below n. Query j is likewise for the key of an
// item's rank, in another order. One lane an item, query or key; the only loops are those of the order.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::hash::{mix32, mix32b};
import package::bench::scenarios::workload::shuffle::shuffled;
import package::bench::scenarios::workload::values::value_of;
import package::bench::scenarios::workload::verdict::wrong;

struct Plan {
  // Items, and so queries.
  n: u32,
  // Different keys: 1 … n.
  distinct: u32,
  // Smallest b with n <= 2^b, at least 1.
  bits: u32,
  // Seed of the items' order.
  order: u32,
  // Seed of the queries' order.
  query_order: u32,
  salt: u32,
  // Lanes that have something to check.
  checked: u32,
}
@group(0) @binding(0) var<uniform> plan: Plan;
// The different keys, by number.
@group(0) @binding(1) var<storage, read> distinct: array<u32>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> values: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn items(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= plan.n) { return; }
  let rank = shuffled(i, plan.n, plan.bits, plan.order);
  keys[i] = distinct[rank % plan.distinct];
  values[i] = value_of(rank, plan.salt);
}

fn queried(j: u32) -> u32 { return shuffled(j, plan.n, plan.bits, plan.query_order) % plan.distinct; }

@compute @workgroup_size(WORKGROUP)
fn queries(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < plan.n) { keys[j] = distinct[queried(j)]; }
}

// What was asked for, and what was answered: one word, or two for a range.
@group(0) @binding(4) var<storage, read> asked: array<u32>;
@group(0) @binding(5) var<storage, read> answers: array<u32>;
@group(0) @binding(6) var<storage, read> ranges: array<vec2u>;
// The table's list: its keys by id, or the values of each key side by side.
@group(0) @binding(7) var<storage, read> list: array<u32>;
// The ranges of the different keys, by number.
@group(0) @binding(8) var<storage, read> known: array<vec2u>;
// Sums by the key's number: two hashes of each word in its range, less those of each of its values.
@group(0) @binding(9) var<storage, read_write> differences: array<atomic<u32>>;

// Every word of the answers for absent keys.
@compute @workgroup_size(WORKGROUP)
fn check_absent(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < plan.checked && answers[j] != EMPTY) { wrong(j); }
}

@compute @workgroup_size(WORKGROUP)
fn check_member(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < plan.checked && answers[j] != 1u) { wrong(j); }
}

// From a key to its id, and back.
@compute @workgroup_size(WORKGROUP)
fn check_id(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= plan.checked) { return; }
  let id = answers[j];
  if (id >= plan.distinct) {
    wrong(j);
  } else if (list[id] != asked[j]) {
    wrong(j);
  }
}

// The list's keys were asked for in its order: their ids are 0, 1, 2 …
@compute @workgroup_size(WORKGROUP)
fn check_listed(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let id = grid(wid, nwg, lid).index;
  if (id < plan.checked && answers[id] != id) { wrong(id); }
}

// Copies of key number d: ranks d, d + distinct … below n.
fn copies(d: u32) -> u32 { return (plan.n - 1u - d) / plan.distinct + 1u; }

// The range has as many words as the key has copies, all of them within a list of n.
fn plausible(range: vec2u, d: u32) -> bool {
  return range.y == copies(d) && range.x < plan.n && range.y <= plan.n - range.x;
}

// One lane an item: the k-th of its key, which stands for the k-th word of the key's range.
@compute @workgroup_size(WORKGROUP)
fn compare_values(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let rank = grid(wid, nwg, lid).index;
  if (rank >= plan.n) { return; }
  let d = rank % plan.distinct;
  let range = known[d];
  if (!plausible(range, d)) { return; }
  let listed = list[range.x + rank / plan.distinct];
  let value = value_of(rank, plan.salt);
  atomicAdd(&differences[2u * d], mix32(listed) - mix32(value));
  atomicAdd(&differences[2u * d + 1u], mix32b(listed) - mix32b(value));
}

// One lane a key, after compare_values.
@compute @workgroup_size(WORKGROUP)
fn check_values(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let d = grid(wid, nwg, lid).index;
  if (d >= plan.distinct) { return; }
  let same = (atomicLoad(&differences[2u * d]) | atomicLoad(&differences[2u * d + 1u])) == 0u;
  if (!plausible(known[d], d) || !same) { wrong(d); }
}

// Every query gets its key's range.
@compute @workgroup_size(WORKGROUP)
fn check_range(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < plan.n && any(ranges[j] != known[queried(j)])) { wrong(j); }
}
