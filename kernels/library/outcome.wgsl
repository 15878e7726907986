// Hands on what an operation said, in a pass of the caller's, where nothing can be copied. One lane a word of Status, which is zero then,
// as are the words behind it that some tables have for themselves.
const WORDS = 8u;

struct Place { word: u32 }
@group(0) @binding(0) var<storage, read_write> status: array<u32>;
@group(0) @binding(1) var<storage, read_write> outcome: array<u32>;
@group(0) @binding(2) var<uniform> place: Place;

@compute @workgroup_size(WORDS)
fn main(@builtin(local_invocation_index) lane: u32) {
  outcome[place.word + lane] = status[lane];
  for (var word = lane; word < arrayLength(&status); word += WORDS) { status[word] = 0u; }
}
