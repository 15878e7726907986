// Join, the probe side: for each row where its partners begin in the list, and how many results it has by the kind of the join. The sum
// of these is counted in 64 bits: status.left, and status.halted for its upper word.
// Condition UNIQUE: a slot has the row, its key's one partner.
// Bounds: SLOTS slots of a part.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::{mix32, mulhi};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::status::Status;

// 0 inner, 1 left, 2 semi, 3 anti.
override KIND: u32 = 0u;
override SLOTS: u32 = 1024u;

struct ProbePlan { rows: u32, parts: u32, seed: u32 }
@group(0) @binding(0) var<uniform> probe_plan: ProbePlan;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> slots: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> firsts: array<u32>;
// One more than rows; the last is 0.
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> status: Status;

// First partner and their number.
fn partners_of(key: u32) -> vec2u {
  let hash = mix32(key ^ probe_plan.seed);
  let begin = mulhi(hash, probe_plan.parts) * (SLOTS + 1u);
  var slot = ((hash & 0xffffu) * SLOTS) >> 16u;
  for (var moves = 0u; moves < SLOTS; moves++) {
    let there = slots[begin + slot];
    if (there.x == hash && hash != EMPTY) {
      @if(UNIQUE) return vec2u(there.y, 1u);
      @else return vec2u(there.y, slots[begin + slot + 1u].y - there.y);
    }
    if (there.x == EMPTY) { break; }
    slot = select(slot + 1u, 0u, slot + 1u == SLOTS);
  }
  return vec2u(EMPTY, 0u);
}

var<workgroup> sum: atomic<u32>;
var<workgroup> upper: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row < probe_plan.rows) {
    let partners = partners_of(keys[row]);
    var results = partners.y;
    if (KIND == 1u) { results = max(results, 1u); }
    if (KIND == 2u) { results = min(results, 1u); }
    if (KIND == 3u) { results = select(0u, 1u, results == 0u); }
    firsts[row] = select(partners.x, EMPTY, partners.y == 0u);
    offsets[row] = results;
    let before = atomicAdd(&sum, results);
    if (before + results < before) { atomicAdd(&upper, 1u); }
  }
  if (row == probe_plan.rows) { offsets[row] = 0u; }
  workgroupBarrier();
  if (lid == 0u) {
    let own = atomicLoad(&sum);
    let before = atomicAdd(&status.left, own);
    let more = atomicLoad(&upper) + select(0u, 1u, before + own < before);
    if (more > 0u) { atomicAdd(&status.halted, more); }
  }
}
