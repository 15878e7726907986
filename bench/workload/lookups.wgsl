// Lookups with an exact share of present keys in random order. Two kernels that agree on what query j asks for: `ask`
// writes the keys, `check` compares the answers. One lane a query.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::hash::{mix32, mix32b, mulhi};
import package::bench::workload::shuffle::shuffled;
import package::bench::workload::values::value_of;
@if(COMPUTED) import package::bench::workload::key_of::{key_of, KeyConstants};

struct Parameters {
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
  // 1: every key once (lookups = positives = n); 0: keys drawn with replacement, uniformly or (SKEWED) as ranks say.
  each_once: u32,
  // As bits, of n.
  key_bits: u32,
}
// COMPUTED: the keys are those of the data set "random" from number `first` on, whose input is in several buffers.
struct Computed { first: u32, k0: u32, k1: u32, k2: u32 }
@if(COMPUTED) @group(0) @binding(9) var<uniform> part: Computed;
@if(COMPUTED) fn key(number: u32) -> u32 { return key_of(part.first + number, KeyConstants(part.k0, part.k1, part.k2)); }
@if(!COMPUTED) @group(0) @binding(0) var<storage, read> keys: array<u32>;
@if(!COMPUTED) fn key(number: u32) -> u32 { return keys[number]; }
@group(0) @binding(1) var<storage, read> absent: array<u32>;
@group(0) @binding(2) var<storage, read_write> queries: array<u32>;
@group(0) @binding(3) var<uniform> p: Parameters;

// Of 4,096 equal shares of the lookups: the rank at which each begins, and n.
const SHARE_BITS = 12u;
@if(SKEWED) @group(0) @binding(7) var<storage, read> ranks: array<u32>;

// The number of the key that a draw asks for. Which key has which rank has nothing to do with their order in the input.
@if(!SKEWED) fn drawn(draw: u32) -> u32 { return mulhi(draw, p.n); }
@if(SKEWED) fn drawn(draw: u32) -> u32 {
  let share = draw >> (32u - SHARE_BITS);
  let first = ranks[share];
  let rank = first + mulhi(mix32(draw), ranks[share + 1u] - first);
  return shuffled(rank, p.n, p.key_bits, mix32(p.seed));
}

// The number of the key that query j asks for, if it is for a present one; rank: its place in the order of the queries.
fn number_of(j: u32, rank: u32) -> u32 { return select(drawn(draw_of(j)), rank, p.each_once == 1u); }
fn draw_of(j: u32) -> u32 { return mix32b(mix32(j) ^ p.seed); }

@compute @workgroup_size(WORKGROUP)
fn ask(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= p.lookups) { return; }
  let rank = shuffled(j, p.lookups, p.bits, p.seed);
  if (rank < p.positives) {
    queries[j] = key(number_of(j, rank));
  } else {
    queries[j] = absent[mulhi(draw_of(j), p.pool)];
  }
}

@group(0) @binding(4) var<storage, read> asked: array<u32>;
@group(0) @binding(5) var<storage, read> answers: array<u32>;
// Wrong answers, and the lowest query that has one.
@group(0) @binding(6) var<storage, read_write> verdict: array<atomic<u32>, 2>;

// What present keys are answered by; KNOWN: by number, of a table that refused some of them.
@if(KNOWN) @group(0) @binding(8) var<storage, read> known: array<u32>;
@if(KNOWN) fn right_answer(j: u32, rank: u32) -> u32 { return known[number_of(j, rank)]; }
@if(!KNOWN) fn right_answer(j: u32, rank: u32) -> u32 { return value_of(asked[j], p.salt); }

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= p.lookups) { return; }
  let rank = shuffled(j, p.lookups, p.bits, p.seed);
  var right = EMPTY;
  if (rank < p.positives) { right = right_answer(j, rank); }
  if (answers[j] != right) {
    atomicAdd(&verdict[0], 1u);
    atomicMin(&verdict[1], j);
  }
}
