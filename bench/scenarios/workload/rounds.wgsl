// The operations of a scenario's rounds, one lane each. The device has the plans of many rounds, and knows which is at hand: so the host
// binds the same for each. `next` goes to the next round; `pick` writes the operations of one of its steps, and overwrites their answers, so
// that one which is not written is seen; `check` compares the answers, and with MARKS notes which keys came and went; `note`, one lane, writes
// what was seen of the step, and begins anew. `gather` writes searches for keys that are alive alone, and `identify` the numbers of keys.
//
// A step has up to four parts, each of one kind. Keys have numbers: those of the data set "random", or (STREAM) of the cell's data set. Alive
// are those of one window of numbers, or (MARKS) those whose word says so: then keys may be equal, and equal ones have one word.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::kinds::{INSERT, FIND};
import package::kernels::common::hash::{mix32, mix32b, mulhi};
import package::bench::scenarios::workload::shuffle::shuffled;
import package::bench::scenarios::workload::values::value_of;
import package::bench::scenarios::workload::verdict::{verdict, wrong};
import package::bench::scenarios::workload::key_of::key_of;

struct Plan {
  count: u32,
  round: u32,
  // 1: in random order.
  shuffled: u32,
  // 1: insertions and erasures are answered too.
  answered: u32,
  // Numbers that are alive.
  alive: vec2u,
  // The place of its note.
  noted: u32,
  unused: u32,
  // By part: its last operation's rank + 1, its kind, its first number, of how many numbers it draws (0: one after another), and the
  // draws' seed and the first of them.
  ends: vec4u,
  kinds: vec4u,
  firsts: vec4u,
  spans: vec4u,
  seeds: vec4u,
  bases: vec4u,
}
struct Plans {
  // The round at hand; before the first one 2^32 - 1.
  at: u32,
  // Salt of the values.
  salt: u32,
  all: array<Plan>,
}
@group(0) @binding(0) var<storage, read_write> plans: Plans;

struct Setting {
  constants: vec3u,
  seed: u32,
  // Steps of a round, and which of them this is.
  steps: u32,
  step: u32,
  // What answers a search for a present key: 0: its value, 1: 1, 2: the key.
  answer: u32,
}
@group(0) @binding(1) var<uniform> setting: Setting;

const NEVER = 0xf0000000u;

fn row_at_hand() -> u32 { return plans.at * setting.steps + setting.step; }

@compute @workgroup_size(1)
fn next() { plans.at += 1u; }

struct Operation { kind: u32, number: u32 }

fn operation(row: u32, j: u32) -> Operation {
  var rank = j;
  let count = plans.all[row].count;
  if (plans.all[row].shuffled == 1u) {
    let bits = max(1u, 32u - countLeadingZeros(count - 1u));
    rank = shuffled(j, count, bits, mix32(setting.seed + mix32b(plans.all[row].round + 1u)));
  }
  var part = 0u;
  var begin = 0u;
  for (; part < 3u && rank >= plans.all[row].ends[part]; part++) { begin = plans.all[row].ends[part]; }
  let place = rank - begin;
  let span = plans.all[row].spans[part];
  let draw = mix32b(mix32(plans.all[row].bases[part] + place) ^ plans.all[row].seeds[part]);
  return Operation(plans.all[row].kinds[part], plans.all[row].firsts[part] + select(mulhi(draw, span), place, span == 0u));
}

@if(STREAM) @group(0) @binding(2) var<storage, read> stream: array<u32>;
@if(STREAM && !MARKS) @group(0) @binding(3) var<storage, read> absent: array<u32>;

fn key_at(number: u32) -> u32 {
  @if(!STREAM) return key_of(number, setting.constants);
  @if(STREAM && !MARKS) {
    if (number >= NEVER) { return absent[number - NEVER]; }
  }
  @if(STREAM) return stream[number];
}

@group(0) @binding(4) var<storage, read_write> kinds: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> values: array<u32>;
@group(0) @binding(7) var<storage, read_write> results: array<u32>;
const POISON = 0xdeadbeefu;

@compute @workgroup_size(WORKGROUP)
fn pick(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  let row = row_at_hand();
  if (j >= plans.all[row].count) { return; }
  let own = operation(row, j);
  let key = key_at(own.number);
  kinds[j] = own.kind;
  keys[j] = key;
  values[j] = value_of(key, plans.salt);
  results[j] = POISON;
}

@group(0) @binding(8) var<storage, read> asked: array<u32>;
@group(0) @binding(9) var<storage, read> answers: array<u32>;

// `gathered`: searches that `gather` wrote.
struct Changed { came: atomic<u32>, went: atomic<u32>, gathered: atomic<u32> }
@group(0) @binding(10) var<storage, read_write> changed: Changed;
@if(MARKS) @group(0) @binding(11) var<storage, read> number_of: array<u32>;
@if(MARKS) @group(0) @binding(13) var<storage, read_write> live: array<atomic<u32>>;
@if(MARKS) var<workgroup> came: atomic<u32>;
@if(MARKS) var<workgroup> went: atomic<u32>;

fn is_alive(row: u32, number: u32) -> bool {
  @if(MARKS) return atomicLoad(&live[number_of[number]]) == 1u;
  @if(!MARKS) return number >= plans.all[row].alive.x && number < plans.all[row].alive.y;
}

fn answer_of(key: u32) -> u32 {
  if (setting.answer == 1u) { return 1u; }
  return select(value_of(key, plans.salt), key, setting.answer == 2u);
}

// A lookup that answers 1 or 0; never of a mixed step.
const COUNTS = 3u;

fn judge(row: u32, j: u32) {
  let own = operation(row, j);
  if (own.kind == COUNTS) {
    if (answers[j] != u32(is_alive(row, own.number))) { wrong(j); }
    return;
  }
  if (own.kind == FIND) {
    if (answers[j] != select(EMPTY, answer_of(asked[j]), is_alive(row, own.number))) { wrong(j); }
    return;
  }
  if (plans.all[row].answered == 1u && answers[j] != 1u) { wrong(j); }
  @if(MARKS) {
    let present = u32(own.kind == INSERT);
    if (atomicExchange(&live[number_of[own.number]], present) != present) {
      if (present == 1u) { atomicAdd(&came, 1u); } else { atomicAdd(&went, 1u); }
    }
  }
}

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  let row = row_at_hand();
  if (j < plans.all[row].count) { judge(row, j); }
  @if(MARKS) {
    // One atomic a workgroup for what all of them count.
    workgroupBarrier();
    if (lid == 0u) {
      atomicAdd(&changed.came, atomicLoad(&came));
      atomicAdd(&changed.went, atomicLoad(&went));
    }
  }
}

struct Note {
  came: u32,
  went: u32,
  // As in the verdict; then key and answer of the first wrong item.
  wrong: u32,
  first: u32,
  key: u32,
  answer: u32,
}
@group(0) @binding(14) var<storage, read_write> notes: array<Note>;

@compute @workgroup_size(1)
fn note() {
  let count = atomicExchange(&verdict.wrong, 0u);
  let first = atomicExchange(&verdict.first, EMPTY);
  var own = Note(atomicExchange(&changed.came, 0u), atomicExchange(&changed.went, 0u), count, first, EMPTY, EMPTY);
  if (count > 0u) {
    own.key = asked[first];
    own.answer = answers[first];
  }
  notes[plans.all[row_at_hand()].noted * setting.steps + setting.step] = own;
}

// Gathers the step's searches for keys that are alive; `changed.gathered` is their number.
@if(MARKS) @compute @workgroup_size(WORKGROUP)
fn gather(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  let row = row_at_hand();
  if (j >= plans.all[row].count) { return; }
  let number = operation(row, j).number;
  if (!is_alive(row, number)) { return; }
  let place = atomicAdd(&changed.gathered, 1u);
  keys[place] = stream[number];
  results[place] = POISON;
}

@if(MARKS) @compute @workgroup_size(WORKGROUP)
fn check_gathered(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < atomicLoad(&changed.gathered)) {
    if (answers[j] != answer_of(asked[j])) { wrong(j); }
  }
}

// The number of each key of the stream: how many of the sorted stream are smaller.
@group(0) @binding(15) var<storage, read> sorted: array<u32>;
@group(0) @binding(16) var<storage, read_write> numbers: array<u32>;
@group(0) @binding(17) var<uniform> items: u32;

@if(STREAM) @compute @workgroup_size(WORKGROUP)
fn identify(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= items) { return; }
  var low = 0u;
  var high = items;
  // 32 halvings at most.
  for (var turn = 0u; turn < 32u && low < high; turn++) {
    let middle = low + (high - low) / 2u;
    if (sorted[middle] < stream[i]) { low = middle + 1u; } else { high = middle; }
  }
  numbers[i] = low;
}
