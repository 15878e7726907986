// Hands on what an operation said, in a pass of the caller's, where nothing can be copied. One lane a word of Status, which is zero then.
const WORDS = 8u;

struct Place { word: u32 }
@group(0) @binding(0) var<storage, read_write> status: array<u32>;
@group(0) @binding(1) var<storage, read_write> outcome: array<u32>;
@group(0) @binding(2) var<uniform> place: Place;

@compute @workgroup_size(WORDS)
fn main(@builtin(local_invocation_index) lane: u32) {
  outcome[place.word + lane] = status[lane];
  status[lane] = 0u;
}
