// Join, an index of rows in the order of their hashes: where the rows of each part begin among them, and after the last one where they
// end. A lane a row says so for the parts that begin with it.
// Bounds: parts without rows.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mulhi;

struct RangesPlan { rows: u32, parts: u32 }
@group(0) @binding(0) var<uniform> ranges_plan: RangesPlan;
@group(0) @binding(1) var<storage, read> hashes: array<u32>;
// One more than parts.
@group(0) @binding(2) var<storage, read_write> begins: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row > ranges_plan.rows) { return; }
  var first = 0u;
  var last = ranges_plan.parts;
  if (row > 0u) { first = mulhi(hashes[row - 1u], ranges_plan.parts) + 1u; }
  if (row < ranges_plan.rows) { last = mulhi(hashes[row], ranges_plan.parts); }
  for (var part = first; part <= last; part++) { begins[part] = row; }
}
