// Dynamic workloads of DyCuckoo (Li et al., section 6.4): a stream of pairs in batches, with searches and deletions beside
// each batch of insertions; then the same batches again, with insertions and deletions exchanged. The oracle knows of every
// key whether it is in the table: `live`, by the key's number. One lane an operation.
//
// `identify` gives every key of the stream a number: how many of the sorted stream are smaller. `next` goes to the next batch; `pick` writes its
// keys and values, and overwrites all results; `mark` notes what an insertion or a deletion did; `check` compares answers; `note` writes what
// these have seen of a batch, one lane, and begins anew. `gather` lists keys of the whole stream and their places, whose answers
// `check_all` compares. The device knows which batch is at hand, so that the host binds the same for each.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::hash::{mix32, mix32b, mulhi};
import package::bench::scenarios::workload::values::value_of;
import package::bench::scenarios::workload::verdict::{verdict, wrong};

@group(0) @binding(0) var<storage, read> stream: array<u32>;

struct Batch {
  // Pairs first … first + count - 1 of the stream, and as many searches; `others` are the keys beside them, of the same number in both phases.
  first: u32,
  count: u32,
  others: u32,
  // Searches ask for keys 0 … reach - 1 of the stream.
  reach: u32,
  // Another for every batch; and for every batch of every phase.
  seed: u32,
  search_seed: u32,
}
struct Batches {
  // The batch at hand, from 0; before the first one 2^32 - 1.
  number: u32,
  // Of the values of this run.
  salt: u32,
  all: array<Batch>,
}
@group(0) @binding(1) var<storage, read_write> batches: Batches;

fn at_hand() -> Batch { return batches.all[batches.number]; }

@compute @workgroup_size(1)
fn next() { batches.number += 1u; }

@group(0) @binding(2) var<storage, read> sorted: array<u32>;
@group(0) @binding(3) var<storage, read_write> numbers: array<u32>;
@group(0) @binding(15) var<uniform> count: u32;

@compute @workgroup_size(WORKGROUP)
fn identify(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= count) { return; }
  var low = 0u;
  var high = count;
  // 32 halvings at most.
  for (var turn = 0u; turn < 32u && low < high; turn++) {
    let middle = low + (high - low) / 2u;
    if (sorted[middle] < stream[i]) { low = middle + 1u; } else { high = middle; }
  }
  numbers[i] = low;
}

// Places in the stream of the batch's searches and of the keys beside it.
fn search_at(batch: Batch, j: u32) -> u32 { return mulhi(mix32b(mix32(j) ^ batch.search_seed), batch.reach); }
// Of keys that came up to the batch's end.
fn other_at(batch: Batch, j: u32) -> u32 { return mulhi(mix32b(mix32(j) ^ batch.seed), batch.first + batch.count); }

@group(0) @binding(4) var<storage, read_write> own: array<u32>;
@group(0) @binding(5) var<storage, read_write> others: array<u32>;
@group(0) @binding(6) var<storage, read_write> asked: array<u32>;
@group(0) @binding(17) var<storage, read_write> own_values: array<u32>;
@group(0) @binding(18) var<storage, read_write> other_values: array<u32>;
@group(0) @binding(19) var<storage, read_write> unanswered: array<u32>;
// So that an answer which is not written is seen.
const POISON = 0xdeadbeefu;

@compute @workgroup_size(WORKGROUP)
fn pick(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  let batch = at_hand();
  if (j < batch.count) {
    let key = stream[batch.first + j];
    own[j] = key;
    own_values[j] = value_of(key, batches.salt);
    asked[j] = stream[search_at(batch, j)];
    unanswered[j] = POISON;
  }
  if (j < batch.others) {
    let key = stream[other_at(batch, j)];
    others[j] = key;
    other_values[j] = value_of(key, batches.salt);
  }
}

@group(0) @binding(7) var<storage, read_write> live: array<atomic<u32>>;
struct Changed { came: atomic<u32>, went: atomic<u32> }
@group(0) @binding(8) var<storage, read_write> changed: Changed;
@group(0) @binding(9) var<storage, read> number_of: array<u32>;

struct Marks {
  // 1 for insertions, 0 for deletions; and 1 if they are of `others`.
  present: u32,
  beside: u32,
}
@group(0) @binding(14) var<uniform> marks: Marks;

var<workgroup> marked: atomic<u32>;

// Whether the key at that place was not as it is now.
fn is_change(place: u32) -> bool { return atomicExchange(&live[number_of[place]], marks.present) != marks.present; }

// One atomic a workgroup for what all of them count.
@compute @workgroup_size(WORKGROUP)
fn mark(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  let batch = at_hand();
  let beside = marks.beside == 1u;
  if (j < select(batch.count, batch.others, beside)) {
    if (is_change(select(batch.first + j, other_at(batch, j), beside))) { atomicAdd(&marked, 1u); }
  }
  workgroupBarrier();
  if (lid == 0u) {
    let all = atomicLoad(&marked);
    if (marks.present == 1u) { atomicAdd(&changed.came, all); } else { atomicAdd(&changed.went, all); }
  }
}

@group(0) @binding(10) var<storage, read> answers: array<u32>;

fn compare(j: u32, at: u32, salt: u32) {
  let present = atomicLoad(&live[number_of[at]]) == 1u;
  if (answers[j] != select(EMPTY, value_of(stream[at], salt), present)) { wrong(j); }
}

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  let batch = at_hand();
  if (j < batch.count) { compare(j, search_at(batch, j), batches.salt); }
}

struct Whole {
  n: u32,
  // Of `gather`: 1 for keys in the table alone.
  present: u32,
  // Of `check_all`.
  searches: u32,
  salt: u32,
}
@group(0) @binding(20) var<uniform> whole: Whole;
@group(0) @binding(16) var<storage, read_write> places: array<u32>;

// `changed.came`: how many are in the table, zero at first.
@compute @workgroup_size(WORKGROUP)
fn gather(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= whole.n) { return; }
  var place = i;
  if (whole.present == 1u) {
    if (atomicLoad(&live[number_of[i]]) == 0u) { return; }
    place = atomicAdd(&changed.came, 1u);
  }
  asked[place] = stream[i];
  places[place] = i;
}

@compute @workgroup_size(WORKGROUP)
fn check_all(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < whole.searches) { compare(j, places[j], whole.salt); }
}

struct Note {
  came: u32,
  went: u32,
  // As the verdict has them; of the first wrong search, its key and what it was answered.
  wrong: u32,
  first: u32,
  key: u32,
  answer: u32,
}
@group(0) @binding(11) var<storage, read_write> notes: array<Note>;
@group(0) @binding(13) var<storage, read> queries: array<u32>;

@compute @workgroup_size(1)
fn note() {
  let came = atomicExchange(&changed.came, 0u);
  let went = atomicExchange(&changed.went, 0u);
  let count = atomicExchange(&verdict.wrong, 0u);
  let first = atomicExchange(&verdict.first, EMPTY);
  var own = Note(came, went, count, first, EMPTY, EMPTY);
  if (count > 0u) {
    own.key = queries[first];
    own.answer = answers[first];
  }
  notes[batches.number] = own;
}
