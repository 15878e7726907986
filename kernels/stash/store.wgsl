// The store of a warp (clStash, Fig. 12), in workgroup memory: pairs that got no slot in a turn and wait for another one,
// WARP of them at most.
//
// Layout: words of a job, from `place` * STRIDE on; STRIDE is odd, so that neighbours are in different banks:
//           slot, step, tries, the key, the rest of the pair (settle.wgsl), and, unless NARROW, marks
//         Each is EMPTY where no job waits.
// With real subgroups no barrier orders the store, so every word shows whether it was written: it is not EMPTY then. NARROW: a pair has two
// words, neither of which is ever EMPTY. In a wider pair only the key's first word never is: another word that is EMPTY is stored as
// 0, with a bit in `marks`.
import package::kernels::common::keys::EMPTY;
import package::kernels::common::records::{Key, KEY_WORDS, key_word, set_key_word};
import package::kernels::common::status::Status;
import package::kernels::common::warp::WARP_GROUP;
import package::kernels::stash::settle::{Rest, REST_WORDS, rest_word, set_rest_word};
@if(COUNT) import package::kernels::common::count::{count_region, WAIT};

@group(0) @binding(8) var<storage, read_write> status: Status;

struct Job {
  key: Key,
  rest: Rest,
  // The slot to try, or that the last try was for.
  slot: u32,
  // The key's step from slot to slot, once a try has failed.
  step: u32,
  tries: u32,
}

const STEP_AT = 1u;
const TRIES_AT = 2u;
const KEY_AT = 3u;
const REST_AT = KEY_AT + KEY_WORDS;
const MARKS_AT = REST_AT + REST_WORDS;
// The word that `pop` takes with the first ones: the value, or the marks.
@if(NARROW) const LAST_AT = REST_AT;
@else const LAST_AT = MARKS_AT;
@if(NARROW) const STRIDE = MARKS_AT;
@else const STRIDE = (MARKS_AT + 1u) | 1u;
var<workgroup> store: array<atomic<u32>, WARP_GROUP * STRIDE>;
// Turns that a lane waits for a word that another lane of its warp has stored before.
const PATIENCE = 16777216u;

// Called by all lanes of the workgroup, before a barrier.
fn store_clear(local_index: u32) {
  for (var j = 0u; j < STRIDE; j++) { atomicStore(&store[local_index * STRIDE + j], EMPTY); }
}

fn push(place: u32, job: Job) {
  let at = place * STRIDE;
  atomicStore(&store[at], job.slot);
  atomicStore(&store[at + STEP_AT], job.step);
  atomicStore(&store[at + TRIES_AT], job.tries);
  atomicStore(&store[at + KEY_AT], key_word(job.key, 0u));
  @if(NARROW) atomicStore(&store[at + REST_AT], job.rest);
  @if(!NARROW) {
    var marks = 0u;
    for (var j = 1u; j < KEY_WORDS; j++) { hide(at + KEY_AT + j, key_word(job.key, j), key_mark(j), &marks); }
    for (var j = 0u; j < REST_WORDS; j++) { hide(at + REST_AT + j, rest_word(job.rest, j), rest_mark(j), &marks); }
    atomicStore(&store[at + MARKS_AT], marks);
  }
}

// Takes a job out that a lane of the warp has pushed.
fn pop(place: u32) -> Job {
  let at = place * STRIDE;
  var slot = atomicExchange(&store[at], EMPTY);
  var step = atomicExchange(&store[at + STEP_AT], EMPTY);
  var tries = atomicExchange(&store[at + TRIES_AT], EMPTY);
  var first = atomicExchange(&store[at + KEY_AT], EMPTY);
  var last = atomicExchange(&store[at + LAST_AT], EMPTY);
  if (max(max(slot, step), max(max(tries, first), last)) == EMPTY) {
    @if(COUNT) count_region(WAIT);
    slot = await_word(at, slot);
    step = await_word(at + STEP_AT, step);
    tries = await_word(at + TRIES_AT, tries);
    first = await_word(at + KEY_AT, first);
    last = await_word(at + LAST_AT, last);
  }
  @if(NARROW) return Job(first, last, slot, step, tries);
  @if(!NARROW) {
    var key: Key;
    var rest: Rest;
    set_key_word(&key, 0u, first);
    for (var j = 1u; j < KEY_WORDS; j++) { set_key_word(&key, j, unhide(at + KEY_AT + j, last & key_mark(j))); }
    for (var j = 0u; j < REST_WORDS; j++) { set_rest_word(&rest, j, unhide(at + REST_AT + j, last & rest_mark(j))); }
    return Job(key, rest, slot, step, tries);
  }
}

fn await_word(at: u32, seen: u32) -> u32 {
  var got = seen;
  for (var turn = 0u; turn < PATIENCE && got == EMPTY; turn++) { got = atomicExchange(&store[at], EMPTY); }
  if (got == EMPTY) { atomicAdd(&status.bound, 1u); }
  return got;
}

// Bit 0 marks no word, so that marks are never EMPTY.
@if(!NARROW) fn key_mark(j: u32) -> u32 { return 1u << j; }
@if(!NARROW) fn rest_mark(j: u32) -> u32 { return 1u << (16u + j); }
@if(!NARROW) fn hide(at: u32, word: u32, mark: u32, marks: ptr<function, u32>) {
  if (word == EMPTY) { *marks |= mark; }
  atomicStore(&store[at], select(word, 0u, word == EMPTY));
}
@if(!NARROW) fn unhide(at: u32, marked: u32) -> u32 {
  return select(await_word(at, EMPTY), EMPTY, marked != 0u);
}
