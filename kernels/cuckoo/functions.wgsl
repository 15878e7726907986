// The chapter's hash functions (4.3.1.1), in the XOR form it found to work better:
//   h_i(k) = ((a_i ^ k) + b_i) mod p mod tableSize, p = 334214459;  MULTIPLY: a_i · k in place of a_i ^ k, modulo 2^32.
// The sum has 32 bits, and wraps. LARGE_PRIME: p = 2^32 - 5, for tables of as many slots as the chapter's prime or more.
// The constants are drawn anew for each attempt to build, so they are uniforms, not overrides.

@if(!LARGE_PRIME) const P = 334214459u;
@if(LARGE_PRIME) const P = 4294967291u;
struct Sizes { slots: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
// How many functions are in use, 2 to 5.
override FUNCTIONS: u32 = 4u;

struct Functions {
  n: u32,
  // Longest chain of evictions one lane follows.
  chain: u32,
  // (a, b, -, -) of each function.
  constants: array<vec4u, 5>,
}

@if(MULTIPLY) fn scattered(key: u32, a: u32) -> u32 { return a * key; }
@else fn scattered(key: u32, a: u32) -> u32 { return a ^ key; }
fn place(key: u32, ab: vec4u) -> u32 { return ((scattered(key, ab.x) + ab.y) % P) % sizes.slots; }
