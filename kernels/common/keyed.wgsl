// KEYED: the hash of a key is the block cipher Speck32/64 of it (R. Beaulieu et al., The SIMON and SPECK Families of Lightweight Block Ciphers,
// 2013), a bijection on u32 that a secret of 64 bits chooses. The host makes the keys of its 22 rounds (keyed.ts). It has no loop, so that a
// compiler finds that two places ask for one hash.
struct RoundKeys { words: array<vec4u, 6> }
@group(0) @binding(30) var<uniform> round_keys: RoundKeys;

// A block is two halves of 16 bits, each in a word whose upper bits may be anything. Shifted to the right, this is a half that is turned.
fn doubled(half: u32) -> u32 { return (half & 0xffffu) * 0x10001u; }

fn one_round(halves: vec2u, key: u32) -> vec2u {
  let left = ((doubled(halves.x) >> 7u) + halves.y) ^ key;
  return vec2u(left, (doubled(halves.y) >> 14u) ^ left);
}
fn four_rounds(halves: vec2u, four: vec4u) -> vec2u {
  return one_round(one_round(one_round(one_round(halves, four.x), four.y), four.z), four.w);
}

fn keyed_hash(x: u32) -> u32 {
  var halves = vec2u(x >> 16u, x);
  halves = four_rounds(halves, round_keys.words[0]);
  halves = four_rounds(halves, round_keys.words[1]);
  halves = four_rounds(halves, round_keys.words[2]);
  halves = four_rounds(halves, round_keys.words[3]);
  halves = four_rounds(halves, round_keys.words[4]);
  halves = one_round(one_round(halves, round_keys.words[5].x), round_keys.words[5].y);
  return (halves.x << 16u) | (halves.y & 0xffffu);
}

fn one_back(halves: vec2u, key: u32) -> vec2u {
  let right = doubled(halves.x ^ halves.y) >> 2u;
  return vec2u(doubled((halves.x ^ key) - right) >> 9u, right);
}

// In place of that of hash.wgsl: the x whose keyed_hash that is. Bound: 22 rounds.
fn unmix32(x: u32) -> u32 {
  var halves = vec2u(x >> 16u, x);
  for (var left = 22u; left > 0u; left--) {
    halves = one_back(halves, round_keys.words[(left - 1u) / 4u][(left - 1u) % 4u]);
  }
  return (halves.x << 16u) | (halves.y & 0xffffu);
}
