// Group-by, a sample of the rows, by which the plan is chosen: SAMPLED rows, or all, one from each of as many equal stretches. `main`
// counts how often their keys occur, in a table that it finds empty; `summarise` says how many keys there are (distinct), how many
// occur once (changed), and how many rows the most frequent one has (left), lists FEW keys, and empties the table.
// Both add up over their workgroup first: atomic operations on one word in global memory follow one another.
// `count_range`, in place of `main`: of all rows those with a hash up to `last`, which are every row of an equal share of the keys.
// Bounds: OWN_SLOTS, of which a workgroup takes half at most; SAMPLE_REACH slots; LANE_READS.
import package::kernels::common::hash::mix32;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::table::{plan, said, hash_of, key_of};

const SAMPLED = 16384u;
const SAMPLE_SLOTS = 65536u;
const SAMPLE_REACH = 64u;
const OWN_SLOTS = 2u * WORKGROUP;
const FEW = 8u;
// Times that a lane of count_range reads four rows.
const LANE_READS = 4u;

@group(0) @binding(0) var<storage, read> keys: array<u32>;
// A hash, or EMPTY, and how often it occurs.
@group(0) @binding(1) var<storage, read_write> sampled: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> few: array<u32>;
@group(0) @binding(3) var<uniform> last: u32;
@group(0) @binding(4) var<storage, read> four_keys: array<vec4u>;

// What the workgroup has of a key, and how often.
var<workgroup> own: array<atomic<u32>, OWN_SLOTS>;
var<workgroup> times: array<atomic<u32>, OWN_SLOTS>;

fn count_in_own(hash: u32) {
  var slot = hash % OWN_SLOTS;
  for (var moves = 0u; moves < OWN_SLOTS; ) {
    let claim = atomicCompareExchangeWeak(&own[slot], EMPTY, hash);
    if (claim.exchanged || claim.old_value == hash) {
      atomicAdd(&times[slot], 1u);
      return;
    }
    if (claim.old_value != EMPTY) {
      slot = (slot + 1u) % OWN_SLOTS;
      moves++;
    }
  }
}

// Rows of a key that is there already only read, if they count 0: they may be most rows.
fn count_in_all(hash: u32, count: u32) {
  var slot = hash % SAMPLE_SLOTS;
  for (var moves = 0u; moves < SAMPLE_REACH; ) {
    if (count == 0u && atomicLoad(&sampled[2u * slot]) == hash) { return; }
    let claim = atomicCompareExchangeWeak(&sampled[2u * slot], EMPTY, hash);
    if (claim.exchanged || claim.old_value == hash) {
      atomicAdd(&sampled[2u * slot + 1u], count);
      return;
    }
    if (claim.old_value != EMPTY) {
      slot = (slot + 1u) % SAMPLE_SLOTS;
      moves++;
    }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  for (var slot = lid; slot < OWN_SLOTS; slot += WORKGROUP) {
    atomicStore(&own[slot], EMPTY);
    atomicStore(&times[slot], 0u);
  }
  workgroupBarrier();
  let item = grid(wid, nwg, lid).index;
  let stretch = max(1u, plan.rows / SAMPLED);
  let row = item * stretch + mix32(item) % stretch;
  if (item < SAMPLED && row < plan.rows) {
    let hash = hash_of(keys[row]);
    if (hash != EMPTY) { count_in_own(hash); }
  }
  workgroupBarrier();
  for (var slot = lid; slot < OWN_SLOTS; slot += WORKGROUP) {
    let hash = atomicLoad(&own[slot]);
    if (hash != EMPTY) { count_in_all(hash, atomicLoad(&times[slot])); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn count_range(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let first = grid(wid, nwg, 0u).group * (WORKGROUP * LANE_READS) + lid;
  for (var turn = 0u; turn < LANE_READS; turn++) {
    let at = first + turn * WORKGROUP;
    if (4u * at < plan.rows) {
      let keys = four_keys[at];
      for (var row = 0u; row < min(4u, plan.rows - 4u * at); row++) {
        let hash = hash_of(keys[row]);
        if (hash <= last && hash != EMPTY) { count_in_all(hash, 0u); }
      }
    }
  }
}

// Of the workgroup: keys, and then how many there were before; keys that occur once; rows of the most frequent.
var<workgroup> found: atomic<u32>;
var<workgroup> singles: atomic<u32>;
var<workgroup> most: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn summarise(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let slot = grid(wid, nwg, lid).index;
  var hash = EMPTY;
  var number = 0u;
  if (slot < SAMPLE_SLOTS) { hash = atomicLoad(&sampled[2u * slot]); }
  if (hash != EMPTY) {
    let count = atomicExchange(&sampled[2u * slot + 1u], 0u);
    atomicStore(&sampled[2u * slot], EMPTY);
    number = atomicAdd(&found, 1u);
    if (count == 1u) { atomicAdd(&singles, 1u); }
    atomicMax(&most, count);
  }
  workgroupBarrier();
  if (lid == 0u) {
    atomicStore(&found, atomicAdd(&said.status.distinct, atomicLoad(&found)));
    atomicAdd(&said.status.changed, atomicLoad(&singles));
    atomicMax(&said.status.left, atomicLoad(&most));
  }
  workgroupBarrier();
  number += atomicLoad(&found);
  if (hash != EMPTY && number < FEW) { few[number] = key_of(hash); }
}
