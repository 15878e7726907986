// Group-by: the groups of the table in global memory to the answer, SLOTS_OF_LANE slots a lane and turn. Condition IF_LEFT: only where the
// table was wanted, after partitions.
// Bounds: the slots.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::answer::{take_answers, answer_key, answer_word};
import package::kernels::group_by::table::{STRIDE, WORDS, plan, said, slots_of_table, table};

const SLOTS_OF_LANE = 8u;
@if(IF_LEFT) var<workgroup> wanted: u32;

fn is_group(slot: u32) -> bool { return slot <= slots_of_table() && atomicLoad(&table[slot * STRIDE]) != EMPTY; }

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(IF_LEFT) {
    if (lid == 0u) { wanted = atomicLoad(&said.status.left); }
    if (workgroupUniformLoad(&wanted) == 0u) { return; }
  }
  let turn = WORKGROUP * SLOTS_OF_LANE;
  for (var first = grid(wid, nwg, 0u).group * turn; first <= slots_of_table(); first += nwg.x * nwg.y * turn) {
    var mine = 0u;
    for (var i = 0u; i < SLOTS_OF_LANE; i++) { mine += select(0u, 1u, is_group(first + i * WORKGROUP + lid)); }
    var group = take_answers(mine, lid);
    for (var i = 0u; i < SLOTS_OF_LANE; i++) {
      let slot = first + i * WORKGROUP + lid;
      if (is_group(slot)) {
        answer_key(group, select(atomicLoad(&table[slot * STRIDE]), EMPTY, slot == slots_of_table()));
        for (var word = 0u; word < WORDS; word++) { answer_word(group, word, atomicLoad(&table[slot * STRIDE + 1u + word])); }
        group++;
      }
    }
  }
}
