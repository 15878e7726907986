// Where words of a table in banks lie, for banks.gpu.test.ts. One lane a word.
import package::kernels::common::banks::{block_at, offset};

override BLOCK_WORDS: u32;
// The block's number, and the word in the block.
@group(0) @binding(0) var<storage, read> inputs: array<vec2u>;
// The bank, and the word in the bank.
@group(0) @binding(1) var<storage, read_write> outputs: array<vec2u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&inputs)) { return; }
  let at = offset(block_at(inputs[id.x].x, BLOCK_WORDS), inputs[id.x].y);
  outputs[id.x] = vec2u(at.bank, at.word);
}
