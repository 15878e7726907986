// Group-by, after partitions: a workgroup adds up the pairs of a bin, which has every row of its groups, and appends the groups to the
// answer. Rows whose group has no room in the workgroup's table are left for local.wgsl, all rows of a group or none. Where the bin, or that of
// the pass before, had no room for some row, groups are in two places: then those of the bin go to the table in global memory.
// Bounds: the pairs of a bin, the slots.
import package::kernels::common::grid::grid;
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::answer::{begin_answers, answer_key, answer_word};
import package::kernels::group_by::group::{SLOTS, held, words, clear_group, slots_in_group, add_to_group, part_of_slot, word_of_slot};
import package::kernels::group_by::table::{LANES, WORDS, add_to_table, part_of_row, said};

struct BinPlan {
  bins: u32,
  // Pairs that a bin holds; an even number.
  size: u32,
}
@group(0) @binding(0) var<uniform> bin_plan: BinPlan;
// Two pairs of hash and value an element.
@group(0) @binding(1) var<storage, read> pairs: array<vec4u>;
// Pairs of each bin; more than it holds, if some were left.
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: array<vec2u>;
// Of the first pass: pairs that a bin holds, how many bins of the last one are of each of its bins, and their counts.
struct BeforePlan { size: u32, bins: u32 }
@group(0) @binding(4) var<uniform> before_plan: BeforePlan;
@group(0) @binding(5) var<storage, read> before_counts: array<u32>;

var<workgroup> overflowed: u32;
var<workgroup> groups: atomic<u32>;

fn add(slot: u32, pair: vec2u) {
  if (slot == EMPTY) {
    list[atomicAdd(&said.status.left, 1u)] = pair;
  } else {
    add_to_group(slot, part_of_row(vec4u(pair.y, 0u, 0u, 0u)));
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bin = grid(wid, nwg, 0u).group;
  if (bin >= bin_plan.bins) { return; }
  clear_group(lid);
  if (lid == 0u) {
    atomicStore(&groups, 0u);
    let before = before_counts[bin / before_plan.bins] > before_plan.size;
    overflowed = select(0u, 1u, before || counts[bin] > bin_plan.size);
  }
  workgroupBarrier();
  let rows = min(counts[bin], bin_plan.size);
  let begin = bin * (bin_plan.size / 2u);
  for (var i = lid; 2u * i < rows; i += 2u * LANES) {
    let near = pairs[begin + i];
    let far = pairs[begin + select(i, i + LANES, 2u * (i + LANES) < rows)];
    let wanted = 2u * vec4u(i, i, i + LANES, i + LANES) + vec4u(0u, 1u, 0u, 1u) < vec4u(rows);
    let slots = slots_in_group(vec4u(near.xz, far.xz), wanted);
    add(slots.x, near.xy);
    if (wanted.y) { add(slots.y, near.zw); }
    if (wanted.z) { add(slots.z, far.xy); }
    if (wanted.w) { add(slots.w, far.zw); }
  }
  workgroupBarrier();
  if (workgroupUniformLoad(&overflowed) != 0u) {
    for (var slot = lid; slot < SLOTS; slot += LANES) {
      let hash = atomicLoad(&held[slot]);
      if (hash != EMPTY) { add_to_table(hash, part_of_slot(slot)); }
    }
    return;
  }
  // The groups move to the first slots, so that neighbouring lanes write neighbouring words of the answer.
  for (var first = 0u; first < SLOTS; first += LANES) {
    let slot = min(first + lid, SLOTS - 1u);
    let hash = atomicLoad(&held[slot]);
    let is_group = hash != EMPTY && first + lid < SLOTS;
    var place = 0u;
    if (is_group) { place = atomicAdd(&groups, 1u); }
    for (var word = 0u; word < WORDS; word++) {
      let value = word_of_slot(word, slot);
      workgroupBarrier();
      if (is_group) { atomicStore(&words[word * SLOTS + place], value); }
    }
    // All lanes have read their hashes by now, as a group has a word.
    if (is_group) { atomicStore(&held[place], hash); }
    workgroupBarrier();
  }
  let count = atomicLoad(&groups);
  let answer = begin_answers(count, lid);
  for (var group = lid; group < count; group += LANES) {
    answer_key(answer + group, atomicLoad(&held[group]));
    for (var word = 0u; word < WORDS; word++) { answer_word(answer + group, word, word_of_slot(word, group)); }
  }
}
