// A table of several parts, each for the keys of its own hashes (parted.ts). `take`: the keys of a part, out of a range of items, in any
// order, each with its value or, ASKING, with its number in the range. `bring`: answers, back to the items of these numbers.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::{mix32, mix32b, mulhi};

struct Plan { first: u32, n: u32, part: u32, parts: u32 }
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> own_keys: array<u32>;
// Values, or numbers.
@group(0) @binding(3) var<storage, read_write> own_words: array<u32>;
@group(0) @binding(4) var<storage, read_write> taken: atomic<u32>;
@group(0) @binding(5) var<uniform> plan: Plan;
@group(0) @binding(6) var<storage, read> answers: array<u32>;
@group(0) @binding(7) var<storage, read_write> results: array<u32>;

// By a hash that no table has, as the keys of a part are to lie everywhere in it.
fn part_of(key: u32) -> u32 { return mulhi(mix32b(mix32(~key) + 0x9e3779b9u), plan.parts); }

@compute @workgroup_size(WORKGROUP)
fn take(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= plan.n) { return; }
  let key = keys[plan.first + i];
  if (part_of(key) != plan.part) { return; }
  let at = atomicAdd(&taken, 1u);
  own_keys[at] = key;
  @if(ASKING) own_words[at] = i;
  @if(!ASKING) own_words[at] = values[plan.first + i];
}

@compute @workgroup_size(WORKGROUP)
fn bring(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < plan.n) { results[plan.first + own_words[i]] = answers[i]; }
}
