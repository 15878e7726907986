// Group-by: where the groups of the answer go. Word w of group g is answers[w * plan.room + g].
import package::kernels::group_by::table::{plan, said, key_of};

@group(0) @binding(12) var<storage, read_write> group_keys: array<u32>;
@group(0) @binding(13) var<storage, read_write> answers: array<u32>;

// Groups that the workgroup has found, and then where they begin in the answer.
var<workgroup> found: atomic<u32>;

// The lane's first place of `mine`, in uniform control flow. The order of the groups is any.
fn take_answers(mine: u32, lid: u32) -> u32 {
  if (lid == 0u) { atomicStore(&found, 0u); }
  workgroupBarrier();
  let before = atomicAdd(&found, mine);
  workgroupBarrier();
  if (lid == 0u) { atomicStore(&found, atomicAdd(&said.status.distinct, atomicLoad(&found))); }
  workgroupBarrier();
  let begin = atomicLoad(&found);
  // The next call writes what this one reads.
  workgroupBarrier();
  if (begin + before + mine > plan.room && mine > 0u) { atomicMax(&said.status.bound, 1u); }
  return begin + before;
}

fn answer_key(group: u32, hash: u32) {
  if (group < plan.room) { group_keys[group] = key_of(hash); }
}
fn answer_word(group: u32, word: u32, value: u32) {
  if (group < plan.room) { answers[word * plan.room + group] = value; }
}
