// The one hash file. All functions are on u32 and total.

// The finaliser of MurmurHash3: a bijection in which every input bit moves every output bit.
fn mix32(x: u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

// The x whose mix32 that is: the steps backwards, with the factors' inverses modulo 2^32.
fn unmix32(x: u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x7ed1b41du;
  h = (h ^ (h >> 13u) ^ (h >> 26u)) * 0xa5cb9243u;
  return h ^ (h >> 16u);
}

// A second, independent bijection (constants of "lowbias32", C. Wellons), for the step of double hashing.
fn mix32b(x: u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x7feb352du;
  h = (h ^ (h >> 15u)) * 0x846ca68bu;
  return h ^ (h >> 16u);
}

// The x whose mix32b that is, as of unmix32.
fn unmix32b(x: u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x43021123u;
  h = (h ^ (h >> 15u) ^ (h >> 30u)) * 0x1d69e2a5u;
  return h ^ (h >> 16u);
}

// The place `step` after one, of `size` places of which the first comes after the last; step <= size, which may be more than 2^31.
fn stepped(place: u32, step: u32, size: u32) -> u32 {
  let rest = size - step;
  return select(place + step, place - rest, place >= rest);
}

// High word of the 64-bit product, from 16-bit halves: WGSL has no such instruction.
fn mulhi(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let low = a0 * b0;
  let cross = a1 * b0 + (low >> 16u);
  let middle = a0 * b1 + (cross & 0xffffu);
  return a1 * b1 + (cross >> 16u) + (middle >> 16u);
}
