// Partitioned build, after the sort: where the pairs of each part begin. One lane four pairs, and one for the end.
//
// Layout: starts[part], part = hash >> shift, ascending; starts[parts] = the number of pairs.
// Bound of the loop over parts: those without a pair, or all.
import package::kernels::common::grid::{grid, WORKGROUP};

struct Plan { pairs: u32, parts: u32, shift: u32 }
@group(0) @binding(0) var<storage, read> hashes: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>;
@group(0) @binding(2) var<uniform> plan: Plan;

// The pair comes after one of the part `before`, which is -1 before the first.
fn begin(pair: u32, hash: u32, before: u32) -> u32 {
  let part = select(hash >> plan.shift, plan.parts, pair >= plan.pairs);
  for (var next = before + 1u; next <= part; next++) { starts[next] = pair; }
  return part;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let four = grid(wid, nwg, lid).index;
  let pair = 4u * four;
  if (pair > plan.pairs) { return; }
  var part = 0xffffffffu;
  if (four > 0u) { part = hashes[four - 1u].w >> plan.shift; }
  var here = vec4u();
  if (pair < plan.pairs) { here = hashes[four]; }
  part = begin(pair, here.x, part);
  part = begin(min(pair + 1u, plan.pairs), here.y, part);
  part = begin(min(pair + 2u, plan.pairs), here.z, part);
  part = begin(min(pair + 3u, plan.pairs), here.w, part);
}
