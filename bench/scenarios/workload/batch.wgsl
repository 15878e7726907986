// Mixed batches of Stadium hashing (PACT 2015, IV.A): slices of insertions and retrievals that take turns in groups of 32 of
// one kind; a slice's retrievals ask, in random order, for keys that the slice before inserted. `fill` writes the batch,
// `insertions` and `retrievals` those of one kind alone; the `check` of each compares the answers. One lane an operation.
//
// Insertion i is of key i; slice s has insertions s·half … (s+1)·half - 1, and as many retrievals as the slice before had
// insertions. So the first slice has insertions only, one more slice has the last retrievals only, and there are n of each.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::kinds::{INSERT, FIND};
import package::kernels::common::hash::{mix32, mix32b, mulhi};
import package::bench::scenarios::workload::shuffle::shuffled;
import package::bench::scenarios::workload::values::value_of;
import package::bench::scenarios::workload::verdict::wrong;

// Operations of one kind side by side.
const GROUP = 32u;

struct Plan {
  // Insertions, and retrievals.
  n: u32,
  // Insertions of a slice, but for the last ones.
  half: u32,
  // Slices that have insertions: ceil(n / half).
  slices: u32,
  // Retrievals that ask for a present key, in a slice: of `half` retrievals, and of the rest that the last slice has.
  positives: u32,
  last_positives: u32,
  seed: u32,
  pool: u32,
  salt: u32,
}
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> absent: array<u32>;
@group(0) @binding(2) var<uniform> plan: Plan;
@group(0) @binding(3) var<storage, read_write> batch: array<u32>;
@group(0) @binding(4) var<storage, read_write> kinds: array<u32>;

struct Operation {
  kind: u32,
  // Which of the n insertions, or of the n retrievals.
  number: u32,
}

// Insertions of slices 0 … s - 1.
fn inserted_before(s: u32) -> u32 { return min(s * plan.half, plan.n); }

fn operation(j: u32) -> Operation {
  let last_first = plan.n + (plan.slices - 1u) * plan.half;
  let s = select((j + plan.half) / (2u * plan.half), plan.slices, j >= last_first);
  let asked_before = inserted_before(max(s, 1u) - 1u);
  let insertions = inserted_before(s + 1u) - inserted_before(s);
  let retrievals = inserted_before(s) - asked_before;
  let place = j - inserted_before(s) - asked_before;
  let in_turn = min(insertions, retrievals) / GROUP * GROUP;
  var kind = place / GROUP % 2u;
  var rank = place / (2u * GROUP) * GROUP + place % GROUP;
  if (place >= 2u * in_turn) {
    kind = select(FIND, INSERT, place < in_turn + insertions);
    rank = place - select(insertions, in_turn, kind == INSERT);
  }
  return Operation(kind, rank + select(asked_before, inserted_before(s), kind == INSERT));
}

struct Retrieval {
  present: bool,
  // In `keys` if it is present, else in `absent`.
  index: u32,
}

fn retrieval(i: u32) -> Retrieval {
  let slice = i / plan.half;
  let first = slice * plan.half;
  let count = min(plan.half, plan.n - first);
  let bits = max(1u, 32u - countLeadingZeros(count - 1u));
  let seed = mix32(plan.seed + slice);
  let rank = shuffled(i - first, count, bits, seed);
  if (rank >= select(plan.last_positives, plan.positives, count == plan.half)) {
    return Retrieval(false, mulhi(mix32b(mix32(i) ^ plan.seed), plan.pool));
  }
  // Which keys are asked for has nothing to do with when they were inserted.
  return Retrieval(true, first + shuffled(rank, count, bits, ~seed));
}

fn asked_key(i: u32) -> u32 {
  let asked = retrieval(i);
  if (asked.present) { return keys[asked.index]; }
  return absent[asked.index];
}

@compute @workgroup_size(WORKGROUP)
fn fill(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= 2u * plan.n) { return; }
  let own = operation(j);
  kinds[j] = own.kind;
  if (own.kind == INSERT) { batch[j] = keys[own.number]; } else { batch[j] = asked_key(own.number); }
}

@compute @workgroup_size(WORKGROUP)
fn insertions(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < plan.n) { batch[i] = keys[i]; }
}

@compute @workgroup_size(WORKGROUP)
fn retrievals(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < plan.n) { batch[i] = asked_key(i); }
}

@group(0) @binding(5) var<storage, read> asked: array<u32>;
@group(0) @binding(6) var<storage, read> answers: array<u32>;

fn expect(at: u32, own: Operation) {
  var expected = 1u;
  if (own.kind == FIND) { expected = select(EMPTY, value_of(asked[at], plan.salt), retrieval(own.number).present); }
  if (answers[at] != expected) { wrong(at); }
}

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < 2u * plan.n) { expect(j, operation(j)); }
}

@compute @workgroup_size(WORKGROUP)
fn check_insertions(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < plan.n) { expect(i, Operation(INSERT, i)); }
}

@compute @workgroup_size(WORKGROUP)
fn check_retrievals(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < plan.n) { expect(i, Operation(FIND, i)); }
}
