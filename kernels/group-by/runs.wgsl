// Group-by of rows in the order of their keys: a workgroup a tile, four rows a lane. Runs of a key that begin and end in the tile are
// groups of the answer; what the tile has of other runs goes to the table in global memory, where their parts meet.
//
// Layout: slot r of the workgroup's table (group.wgsl) has the r-th run that begins in the tile, and its key in place of a hash;
// slot 0 has the run that began before.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::scan::group_scan;
import package::kernels::group_by::answer::{take_answers, answer_key, answer_word};
import package::kernels::group_by::group::{held, add_to_group, clear_group, part_of_slot, word_of_slot};
import package::kernels::group_by::table::{WORDS, add_to_table, hash_of, part_of_row, plan};

const TILE = 4u * WORKGROUP;
@group(0) @binding(0) var<storage, read> sorted_keys: array<vec4u>;
@group(0) @binding(1) var<storage, read> sorted_values: array<vec4u>;

fn key_at(row: u32) -> u32 { return sorted_keys[row / 4u][row % 4u]; }
fn begins(row: u32, key: u32, before: u32) -> bool { return row < plan.rows && (row == 0u || key != before); }
fn add(row: u32, run: u32, value: u32) {
  if (row < plan.rows) { add_to_group(run, part_of_row(vec4u(value, 0u, 0u, 0u))); }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let first = grid(wid, nwg, 0u).group * TILE;
  if (first >= plan.rows) { return; }
  clear_group(lid);
  workgroupBarrier();
  let row = first + 4u * lid;
  var keys = vec4u();
  var values = vec4u();
  var before = 0u;
  if (row < plan.rows) {
    keys = sorted_keys[row / 4u];
    values = sorted_values[row / 4u];
    if (row > 0u) { before = key_at(row - 1u); }
  }
  let heads = vec4<bool>(
    begins(row, keys.x, before),
    begins(row + 1u, keys.y, keys.x),
    begins(row + 2u, keys.z, keys.y),
    begins(row + 3u, keys.w, keys.z),
  );
  let ones = select(vec4u(), vec4u(1u), heads);
  let all = group_scan(ones.x + ones.y + ones.z + ones.w, lid);
  let x = all.before + ones.x;
  let y = x + ones.y;
  let z = y + ones.z;
  let w = z + ones.w;
  if (heads.x) { atomicStore(&held[x], keys.x); }
  if (heads.y) { atomicStore(&held[y], keys.y); }
  if (heads.z) { atomicStore(&held[z], keys.z); }
  if (heads.w) { atomicStore(&held[w], keys.w); }
  add(row, x, values.x);
  add(row + 1u, y, values.y);
  add(row + 2u, z, values.z);
  add(row + 3u, w, values.w);
  workgroupBarrier();
  let end = first + TILE;
  let open = end < plan.rows && key_at(min(end, plan.rows - 1u)) == key_at(end - 1u);
  if (lid == 0u && !begins(first, key_at(first), key_at(max(first, 1u) - 1u))) { add_to_table(hash_of(key_at(first)), part_of_slot(0u)); }
  // The last run is run 0 where none begins.
  if (lid == 0u && open && all.total > 0u) { add_to_table(hash_of(key_at(end - 1u)), part_of_slot(all.total)); }
  let whole = all.total - select(0u, 1u, open && all.total > 0u);
  // The lanes in turn: whole / WORKGROUP runs each, and one more of the first ones.
  let mine = whole / WORKGROUP + select(0u, 1u, lid < whole % WORKGROUP);
  var group = take_answers(mine, lid);
  for (var i = 0u; i < mine; i++) {
    let run = 1u + i * WORKGROUP + lid;
    answer_key(group, hash_of(atomicLoad(&held[run])));
    for (var word = 0u; word < WORDS; word++) { answer_word(group, word, word_of_slot(word, run)); }
    group++;
  }
}
