// What the results of a join have to be. Each has rows with equal keys; and a row occurs as often as the other side has its key: by arrays
// by the key's number, as in grouped.wgsl, with no table.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::unmix32;
import package::kernels::common::keys::EMPTY;
import package::bench::scenarios::workload::verdict::wrong;

// `kind` as in kernels/join/probe.wgsl; `side` 0 is the build side, 1 the probe side.
struct Plan { items: u32, seed: u32, kind: u32, side: u32 }
@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> build_keys: array<u32>;
@group(0) @binding(2) var<storage, read> probe_keys: array<u32>;
@group(0) @binding(3) var<storage, read> build_rows: array<u32>;
@group(0) @binding(4) var<storage, read> probe_rows: array<u32>;
// How often each row is in the results.
@group(0) @binding(5) var<storage, read_write> build_seen: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> probe_seen: array<atomic<u32>>;
// Of one side the keys and how often its rows were seen; by number of the key, rows of the build side and of the probe side.
@group(0) @binding(7) var<storage, read> keys: array<u32>;
@group(0) @binding(8) var<storage, read> seen: array<u32>;
@group(0) @binding(9) var<storage, read> build_counts: array<u32>;
@group(0) @binding(10) var<storage, read> probe_counts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn check_pairs(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item >= plan.items) { return; }
  let probe = probe_rows[item];
  let build = build_rows[item];
  if (probe >= arrayLength(&probe_keys) || (build >= arrayLength(&build_keys) && build != EMPTY)) {
    wrong(item);
    return;
  }
  atomicAdd(&probe_seen[probe], 1u);
  if (build == EMPTY) {
    if (plan.kind != 1u) { wrong(item); }
    return;
  }
  atomicAdd(&build_seen[build], 1u);
  if (build_keys[build] != probe_keys[probe]) { wrong(item); }
}

@compute @workgroup_size(WORKGROUP)
fn check_alone(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item >= plan.items) { return; }
  let probe = probe_rows[item];
  if (probe >= arrayLength(&probe_keys)) {
    wrong(item);
  } else {
    atomicAdd(&probe_seen[probe], 1u);
  }
}

@compute @workgroup_size(WORKGROUP)
fn check_side(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row >= plan.items) { return; }
  let number = unmix32(keys[row]) - plan.seed;
  var right = build_counts[number];
  if (plan.side == 0u) { right = probe_counts[number]; }
  if (plan.side == 1u && plan.kind == 1u) { right = max(right, 1u); }
  if (plan.kind == 2u) { right = min(right, 1u); }
  if (plan.kind == 3u) { right = select(0u, 1u, right == 0u); }
  if (seen[row] != right) { wrong(row); }
}
