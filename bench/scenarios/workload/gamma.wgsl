// Concurrent batches of the slab hash paper (Ashkiani et al., IPDPS 2018, VI.C): insertions of new keys, erasures of keys that are
// there, searches for present and for absent keys, in random order, one lane an operation. `begin` and `fill` write the batches,
// one dispatch a batch; `check` compares all answers; `mark` and `check_left` what is in the table after the last batch.
//
// The table has plan.pairs keys before and after every batch, each in a cell of `live` by its number in the stream. Batch b inserts
// keys pairs + b·updates … pairs + (b + 1)·updates - 1, one into each of `updates` random cells, whose keys it erases. It
// searches for keys of other cells: so no key of a batch is inserted, erased or searched for by two kinds of its operations, and
// every answer is certain. Lanes of a batch never meet at a cell that one of them changes.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::kinds::{INSERT, FIND, ERASE};
import package::kernels::common::hash::{mix32, mix32b, mulhi};
import package::bench::scenarios::workload::shuffle::shuffled;
import package::bench::scenarios::workload::values::value_of;
import package::bench::scenarios::workload::verdict::wrong;

struct Plan {
  // Keys in the table between batches.
  pairs: u32,
  // Operations of a batch: `updates` insertions, as many erasures, `present` searches for present keys; the rest for absent ones.
  batch: u32,
  updates: u32,
  present: u32,
  batches: u32,
  // The batch that `fill` writes.
  number: u32,
  seed: u32,
  pool: u32,
  salt: u32,
  // 1: a present key is answered by 1 (a set); 0: by its value.
  member: u32,
}
@group(0) @binding(0) var<storage, read> stream: array<u32>;
@group(0) @binding(1) var<storage, read> absent: array<u32>;
@group(0) @binding(2) var<uniform> plan: Plan;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> kinds: array<u32>;
@group(0) @binding(5) var<storage, read_write> live: array<u32>;

fn bits_of(count: u32) -> u32 { return max(1u, 32u - countLeadingZeros(count - 1u)); }
fn seed_of(number: u32) -> u32 { return mix32(plan.seed + mix32b(number + 1u)); }

// Which of the batch's operations, in the order of the kinds, operation j of it is.
fn rank_of(j: u32, number: u32) -> u32 { return shuffled(j, plan.batch, bits_of(plan.batch), seed_of(number)); }

// A random cell of the batch, another for every place < plan.pairs.
fn cell_of(place: u32, number: u32) -> u32 { return shuffled(place, plan.pairs, bits_of(plan.pairs), ~seed_of(number)); }

@compute @workgroup_size(WORKGROUP)
fn begin(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let cell = grid(wid, nwg, lid).index;
  if (cell < plan.pairs) { live[cell] = cell; }
}

@compute @workgroup_size(WORKGROUP)
fn fill(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= plan.batch) { return; }
  let at = plan.number * plan.batch + j;
  let rank = rank_of(j, plan.number);
  let first_new = plan.pairs + plan.number * plan.updates;
  if (rank < plan.updates) {
    kinds[at] = INSERT;
    keys[at] = stream[first_new + rank];
  } else if (rank < 2u * plan.updates) {
    let place = rank - plan.updates;
    let cell = cell_of(place, plan.number);
    kinds[at] = ERASE;
    keys[at] = stream[live[cell]];
    live[cell] = first_new + place;
  } else if (rank < 2u * plan.updates + plan.present) {
    // Beyond the cells that change; several searches for one key where there are more searches than cells.
    let place = plan.updates + (rank - 2u * plan.updates) % (plan.pairs - plan.updates);
    kinds[at] = FIND;
    keys[at] = stream[live[cell_of(place, plan.number)]];
  } else {
    kinds[at] = FIND;
    keys[at] = absent[mulhi(mix32b(mix32(at) ^ plan.seed), plan.pool)];
  }
}

@group(0) @binding(6) var<storage, read> asked: array<u32>;
@group(0) @binding(7) var<storage, read> answers: array<u32>;

fn compare(at: u32, expected: u32) {
  if (answers[at] != expected) { wrong(at); }
}

fn answer_of(key: u32) -> u32 { return select(value_of(key, plan.salt), 1u, plan.member == 1u); }

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid).index;
  if (at >= plan.batches * plan.batch) { return; }
  let number = at / plan.batch;
  let rank = rank_of(at - number * plan.batch, number);
  var expected = EMPTY;
  if (rank < 2u * plan.updates) {
    expected = 1u;
  } else if (rank < 2u * plan.updates + plan.present) {
    expected = answer_of(asked[at]);
  }
  compare(at, expected);
}

// left[i] is 1 if key i of the stream is in the table after the last batch; zeroed before.
@group(0) @binding(9) var<storage, read_write> left: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn mark(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let cell = grid(wid, nwg, lid).index;
  if (cell < plan.pairs) { left[live[cell]] = 1u; }
}

// Answers to a search for every key of the stream.
@compute @workgroup_size(WORKGROUP)
fn check_left(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= plan.pairs + plan.batches * plan.updates) { return; }
  compare(i, select(EMPTY, answer_of(asked[i]), left[i] == 1u));
}
