// Group-by, a sample of the rows, by which the plan is chosen: SAMPLED rows, or all, one from each of as many equal stretches. `main`
// counts how often their keys occur, in a table that it finds empty; `summarise` says how many keys there are (distinct), how many
// occur once (changed), and how many rows are of keys that occur OFTEN times and more (left), lists FEW keys, and empties the table.
// Bounds: SAMPLE_REACH slots.
import package::kernels::common::hash::mix32;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::table::{plan, said, hash_of, key_of};

const SAMPLED = 16384u;
const SAMPLE_SLOTS = 65536u;
const SAMPLE_REACH = 64u;
const OFTEN = 4u;
const FEW = 8u;

@group(0) @binding(0) var<storage, read> keys: array<u32>;
// A hash, or EMPTY, and how often it occurs.
@group(0) @binding(1) var<storage, read_write> sampled: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> few: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  let stretch = max(1u, plan.rows / SAMPLED);
  let row = item * stretch + mix32(item) % stretch;
  if (item >= SAMPLED || row >= plan.rows) { return; }
  let hash = hash_of(keys[row]);
  if (hash == EMPTY) { return; }
  var slot = hash % SAMPLE_SLOTS;
  for (var moves = 0u; moves < SAMPLE_REACH; ) {
    let claim = atomicCompareExchangeWeak(&sampled[2u * slot], EMPTY, hash);
    if (claim.exchanged || claim.old_value == hash) {
      atomicAdd(&sampled[2u * slot + 1u], 1u);
      return;
    }
    if (claim.old_value != EMPTY) {
      slot = (slot + 1u) % SAMPLE_SLOTS;
      moves++;
    }
  }
}

@compute @workgroup_size(WORKGROUP)
fn summarise(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let slot = grid(wid, nwg, lid).index;
  if (slot >= SAMPLE_SLOTS) { return; }
  let hash = atomicLoad(&sampled[2u * slot]);
  if (hash == EMPTY) { return; }
  let count = atomicExchange(&sampled[2u * slot + 1u], 0u);
  atomicStore(&sampled[2u * slot], EMPTY);
  let number = atomicAdd(&said.status.distinct, 1u);
  if (number < FEW) { few[number] = key_of(hash); }
  if (count == 1u) { atomicAdd(&said.status.changed, 1u); }
  if (count >= OFTEN) { atomicAdd(&said.status.left, count); }
}
