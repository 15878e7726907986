// Group-by: where the groups of the answer go. Word w of group g is answers[w * plan.room + g].
import package::kernels::group_by::table::{plan, said, key_of};

@group(0) @binding(12) var<storage, read_write> group_keys: array<u32>;
@group(0) @binding(13) var<storage, read_write> answers: array<u32>;

// Groups that the workgroup has found.
var<workgroup> found: atomic<u32>;
var<workgroup> begin: u32;

// The first place of the workgroup's groups, in uniform control flow. The order of the groups is any.
fn begin_answers(count: u32, lid: u32) -> u32 {
  if (lid == 0u) {
    begin = atomicAdd(&said.status.distinct, count);
    if (begin + count > plan.room && count > 0u) { atomicMax(&said.status.bound, 1u); }
  }
  return workgroupUniformLoad(&begin);
}

// The lane's first place of `mine`, likewise.
fn take_answers(mine: u32, lid: u32) -> u32 {
  if (lid == 0u) { atomicStore(&found, 0u); }
  workgroupBarrier();
  let before = atomicAdd(&found, mine);
  workgroupBarrier();
  return begin_answers(atomicLoad(&found), lid) + before;
}

fn answer_key(group: u32, hash: u32) {
  if (group < plan.room) { group_keys[group] = key_of(hash); }
}
fn answer_word(group: u32, word: u32, value: u32) {
  if (group < plan.room) { answers[word * plan.room + group] = value; }
}
