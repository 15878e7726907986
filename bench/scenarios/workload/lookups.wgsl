// Lookups with an exact share of present keys in random order. Two kernels that agree on what query j asks for: `ask`
// writes the keys, `check` compares the answers. One lane a query.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::hash::{mix32, mix32b, mulhi};
import package::bench::scenarios::workload::shuffle::shuffled;
import package::bench::scenarios::workload::values::value_of;
import package::bench::scenarios::workload::verdict::wrong;
@if(COMPUTED) import package::bench::scenarios::workload::key_of::key_of;

struct Plan {
  lookups: u32,
  // Queries whose key is present: exactly these many, spread at random.
  positives: u32,
  // Smallest b with lookups <= 2^b, at least 1.
  bits: u32,
  seed: u32,
  // Keys in the table's input, and keys in the absent pool.
  n: u32,
  pool: u32,
  salt: u32,
  // 1: every key of the input once (lookups = positives = n), or of the absent pool (lookups = pool, positives = 0); 0: keys drawn with
  // replacement, uniformly or (SKEWED) as ranks say.
  each_once: u32,
  // As bits, of n.
  key_bits: u32,
}
// COMPUTED: the keys are those of the data set "random" from number `first` on, whose input is in several buffers.
struct Computed { constants: vec3u, first: u32 }
@if(COMPUTED) @group(0) @binding(9) var<uniform> part: Computed;
@if(COMPUTED) fn key(number: u32) -> u32 { return key_of(part.first + number, part.constants); }
@if(!COMPUTED) @group(0) @binding(0) var<storage, read> keys: array<u32>;
@if(!COMPUTED) fn key(number: u32) -> u32 { return keys[number]; }
@group(0) @binding(1) var<storage, read> absent: array<u32>;
@group(0) @binding(2) var<storage, read_write> queries: array<u32>;
@group(0) @binding(3) var<uniform> plan: Plan;

// The rank at which each of 4,096 equal shares of the lookups begins, and n.
const SHARE_BITS = 12u;
@if(SKEWED) @group(0) @binding(7) var<storage, read> ranks: array<u32>;

// The number of the key that a draw asks for. Which key has which rank has nothing to do with their order in the input.
@if(!SKEWED) fn drawn(draw: u32) -> u32 { return mulhi(draw, plan.n); }
@if(SKEWED) fn drawn(draw: u32) -> u32 {
  let share = draw >> (32u - SHARE_BITS);
  let first = ranks[share];
  let rank = first + mulhi(mix32(draw), ranks[share + 1u] - first);
  return shuffled(rank, plan.n, plan.key_bits, mix32(plan.seed));
}

// The number of the key that query j asks for, if it is for a present one; rank: its place in the order of the queries.
fn number_of(j: u32, rank: u32) -> u32 { return select(drawn(draw_of(j)), rank, plan.each_once == 1u); }
fn draw_of(j: u32) -> u32 { return mix32b(mix32(j) ^ plan.seed); }

@compute @workgroup_size(WORKGROUP)
fn ask(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= plan.lookups) { return; }
  let rank = shuffled(j, plan.lookups, plan.bits, plan.seed);
  if (rank < plan.positives) {
    queries[j] = key(number_of(j, rank));
  } else {
    queries[j] = absent[select(mulhi(draw_of(j), plan.pool), rank, plan.each_once == 1u)];
  }
}

@group(0) @binding(4) var<storage, read> asked: array<u32>;
@group(0) @binding(5) var<storage, read> answers: array<u32>;

// The right answer for present keys. KNOWN: answers by number, for a table that refused some keys.
@if(KNOWN) @group(0) @binding(8) var<storage, read> known: array<u32>;
@if(KNOWN) fn right_answer(j: u32, rank: u32) -> u32 { return known[number_of(j, rank)]; }
@if(!KNOWN) fn right_answer(j: u32, rank: u32) -> u32 { return value_of(asked[j], plan.salt); }

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= plan.lookups) { return; }
  let rank = shuffled(j, plan.lookups, plan.bits, plan.seed);
  var right = EMPTY;
  if (rank < plan.positives) { right = right_answer(j, rank); }
  // Answers say how many pairs of the key there are.
  @if(NUMBERS) right = select(1u, 0u, right == EMPTY);
  if (answers[j] != right) { wrong(j); }
}
