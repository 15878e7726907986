// Records of several words out of one, and back. Word 0 of a record is the word itself, word j a hash of it and j, so that
// a record that was torn, mixed up or shifted is seen. EMPTY becomes all EMPTY.
// SHARED: records of two words, of which word 1 is the word, and word 0 one of 256, so that many records share it. DELETED becomes two.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;
import package::kernels::common::keys::EMPTY;
@if(SHARED) import package::kernels::common::keys::DELETED;
import package::kernels::common::range::Range;

override WORDS: u32;
// Written in place of a record that is not whole.
const TORN = 0xbadbadu;

// Words range.first … range.end - 1 are records from 0 on.
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> records: array<u32>;
@group(0) @binding(2) var<uniform> range: Range;

@if(!SHARED) fn word_of(word: u32, j: u32) -> u32 {
  return select(mix32(word + j * 0x9e3779b9u), word, j == 0u || word == EMPTY);
}
@if(SHARED) fn word_of(word: u32, j: u32) -> u32 { return select(mix32(word) & 0xffu, word, j == 1u || word >= DELETED); }

@compute @workgroup_size(WORKGROUP)
fn widen(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  let item = range.first + i;
  if (item >= range.end) { return; }
  let word = words[item];
  for (var j = 0u; j < WORDS; j++) { records[i * WORDS + j] = word_of(word, j); }
}

@compute @workgroup_size(WORKGROUP)
fn narrow(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  let item = range.first + i;
  if (item >= range.end) { return; }
  let word = records[i * WORDS];
  var whole = true;
  for (var j = 1u; j < WORDS; j++) { whole = whole && records[i * WORDS + j] == word_of(word, j); }
  words[item] = select(TORN, word, whole);
}
