// The two-level table of Alcantara et al., Real-Time Parallel Hashing on the GPU, SIGGRAPH Asia 2009: its geometry and its hash
// functions.
//
// Layout: bucket b has the slots 576 b … 576 b + 575 of the table, in three sub-tables of 192; slot = (key, value), 8 bytes.
// A key belongs to one bucket, and there to one slot in each sub-table. seeds[b] decides which: it makes the bucket's own
// three functions.

const SUB_TABLES = 3u;
const SUB_SLOTS = 192u;
const BUCKET_SLOTS = SUB_TABLES * SUB_SLOTS;

struct Sizes { buckets: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

struct Parameters {
  // Pairs, or queries.
  n: u32,
  // The bucket function's constants.
  a: u32,
  b: u32,
  // Drawn for the attempt: every bucket draws its own seeds from it.
  draw: u32,
}
@group(0) @binding(3) var<uniform> parameters: Parameters;

// Items that are brought into the order of the buckets: pairs, or keys alone.
@if(KEYS_ONLY || BANKED) alias Item = u32;
@if(!KEYS_ONLY && !BANKED) alias Item = vec2u;

// The chapter's prime and XOR form (GPU Computing Gems 2011, 4.3.1.1): there are more buckets than 2009's prime.
const BUCKET_PRIME = 334214459u;
fn bucket_of(key: u32) -> u32 {
  return (((parameters.a ^ key) + parameters.b) % BUCKET_PRIME) % sizes.buckets;
}

// The prime of 2009.
const SLOT_PRIME = 1900813u;
const FACTORS = vec3u(0x9e3779b9u, 0x7f4a7c15u, 0xd1b54a32u);
const TERMS = vec3u(0x94d049bbu, 0x133111ebu, 0xbf58476du);

// A key's slots in the sub-tables, counted from the bucket's first slot: (c0 + c1 k) mod p mod 192, the sum mod 2^32; all
// constants are a seed XORed with fixed words. An odd c1 keeps all bits of the key.
fn places_of(key: u32, seed: u32) -> vec3u {
  let hash = ((vec3u(seed) ^ FACTORS) | vec3u(1u)) * key + (vec3u(seed) ^ TERMS);
  return hash % SLOT_PRIME % SUB_SLOTS + vec3u(0u, SUB_SLOTS, 2u * SUB_SLOTS);
}
