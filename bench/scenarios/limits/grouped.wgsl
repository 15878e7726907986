// What a group-by cannot avoid, four rows a lane: `read_rows` reads all rows and adds them up; `modify_sums` adds the value of each row to a word
// whose place is known, and looks at no other: slot mix32(key) of a table with a word beside each sum, as the group-by's.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;

struct Plan { rows: u32, shift: u32 }
@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> keys: array<vec4u>;
@group(0) @binding(2) var<storage, read> column: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> sums: array<atomic<u32>>;

const TURNS = 16u;
var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn read_rows(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let first = grid(wid, nwg, 0u).group * (WORKGROUP * TURNS) + lid;
  var four = vec4u();
  for (var turn = 0u; turn < TURNS; turn++) {
    let at = first + turn * WORKGROUP;
    if (4u * at + 3u < plan.rows) { four += keys[at] + column[at]; }
  }
  atomicAdd(&sum, four.x + four.y + four.z + four.w);
  workgroupBarrier();
  if (lid == 0u) { atomicAdd(&sums[0], atomicLoad(&sum)); }
}

fn add(key: u32, value: u32) { atomicAdd(&sums[2u * (mix32(key) >> plan.shift) + 1u], value); }

@compute @workgroup_size(WORKGROUP)
fn modify_sums(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid).index;
  if (4u * at + 3u >= plan.rows) { return; }
  add(keys[at].x, column[at].x);
  add(keys[at].y, column[at].y);
  add(keys[at].z, column[at].z);
  add(keys[at].w, column[at].w);
}
