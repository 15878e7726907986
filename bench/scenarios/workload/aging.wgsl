// Rounds in the life of a table that always holds `live` keys: each searches for `batch` keys that are there and for as many
// that never are, erases the oldest and inserts as many new ones. Keys are numbered as in the data set "random": round i has
// keys i·batch … i·batch + live - 1 in the table before it. One lane an operation.
//
// `fill` writes a round's operations: by kind, or (MIXED) in random order. `check` compares their answers. `ask` writes keys of a
// part of the numbers, `check_keys` compares the answers to a search for them.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::kinds::{INSERT, FIND, ERASE};
import package::kernels::common::hash::{mix32, mix32b, mulhi};
import package::bench::scenarios::workload::shuffle::shuffled;
import package::bench::scenarios::workload::values::value_of;
import package::bench::scenarios::workload::verdict::wrong;
import package::bench::scenarios::workload::key_of::key_of;

struct Plan {
  constants: vec3u,
  batch: u32,
  live: u32,
  round: u32,
  seed: u32,
  salt: u32,
  // 1: in random order.
  mixed: u32,
  // Of `ask` and `check_keys`: the first key's number, how many, and 1 if they are in the table.
  first: u32,
  count: u32,
  present: u32,
}
@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read_write> kinds: array<u32>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;

// Numbers from here on are of keys that no round inserts.
const NEVER = 0xf0000000u;
const NEVER_COUNT = 0x01000000u;

fn key_at(number: u32) -> u32 { return key_of(number, plan.constants); }

fn rank_of(j: u32) -> u32 {
  let operations = 4u * plan.batch;
  let bits = max(1u, 32u - countLeadingZeros(operations - 1u));
  if (plan.mixed == 0u) { return j; }
  return shuffled(j, operations, bits, mix32(plan.seed + mix32b(plan.round + 1u)));
}

fn number_of(rank: u32) -> u32 {
  let draw = mix32b(mix32(rank) ^ (plan.seed + plan.round * 0x9e3779b9u));
  let oldest = plan.round * plan.batch;
  if (rank < plan.batch) { return oldest + plan.batch + mulhi(draw, plan.live - plan.batch); }
  if (rank < 2u * plan.batch) { return NEVER + mulhi(draw, NEVER_COUNT); }
  if (rank < 3u * plan.batch) { return oldest + (rank - 2u * plan.batch); }
  return oldest + plan.live + (rank - 3u * plan.batch);
}

@compute @workgroup_size(WORKGROUP)
fn fill(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= 4u * plan.batch) { return; }
  let rank = rank_of(j);
  kinds[j] = select(select(INSERT, ERASE, rank < 3u * plan.batch), FIND, rank < 2u * plan.batch);
  keys[j] = key_at(number_of(rank));
}

@group(0) @binding(3) var<storage, read> asked: array<u32>;
@group(0) @binding(4) var<storage, read> answers: array<u32>;

fn compare(j: u32, expected: u32) {
  if (answers[j] != expected) { wrong(j); }
}

// Operations 0 … count - 1: all of a mixed round, the searches of one that is not.
@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= plan.count) { return; }
  let rank = rank_of(j);
  var expected = 1u;
  if (rank < plan.batch) { expected = value_of(asked[j], plan.salt); } else if (rank < 2u * plan.batch) { expected = EMPTY; }
  compare(j, expected);
}

@compute @workgroup_size(WORKGROUP)
fn ask(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < plan.count) { keys[j] = key_at(plan.first + j); }
}

@compute @workgroup_size(WORKGROUP)
fn check_keys(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < plan.count) { compare(j, select(EMPTY, value_of(asked[j], plan.salt), plan.present == 1u)); }
}
