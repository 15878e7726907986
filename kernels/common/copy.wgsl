// Copies a buffer, coalesced: one lane a vec4. Also a pattern of device/limits.
import package::kernels::common::grid::{grid, WORKGROUP};

@group(0) @binding(0) var<storage, read> from_here: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> to_here: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < arrayLength(&from_here)) { to_here[i] = from_here[i]; }
}
