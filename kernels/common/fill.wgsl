// Fills a buffer with one word. One lane a vec4; the grid covers the buffer once.
import package::kernels::common::grid::{grid, WORKGROUP};

struct Sizes { word: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read_write> data: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < arrayLength(&data)) { data[i] = vec4u(sizes.word); }
}
