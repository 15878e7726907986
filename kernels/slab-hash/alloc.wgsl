// Allocators of slabs (section V). A slab is handed out EMPTY in all words and comes back so: WGSL has no fence, so what a
// slab holds when it is linked must have been written before this dispatch.
//
//   light  SlabAlloc-light: one contiguous array of memory blocks, 1,024 slabs each. pool = 32 words a block, a bit a slab,
//          set while it is in use. Every lane of a warp looks after one word of the warp's resident block; when that word is
//          full, a hash of warp and number of changes chooses the next resident block, and the lane's word in it.
//   BUMP   pool[0] = slabs handed out. Nothing comes back before the table is cleared.
// Address of a slab: its number in the table; those of the pool come after the base slabs.
// Bounds: CHANGES changes of the resident block, then a scan of SCANNED words; 32 RMWs a word.
import package::kernels::common::hash::mix32;
@if(!BUMP) import package::kernels::common::bits::lowest_bit;
@if(COUNT && !BUMP) import package::kernels::common::count::{count_region, WAIT};

@group(0) @binding(5) var<storage, read_write> pool: array<atomic<u32>>;

// No slab is free, or none was found.
const NO_SLAB = 0xffffffffu;
const UNITS = 1024u;
const BLOCK_WORDS = UNITS / 32u;
const CHANGES = 16u;
const SCANNED = 1024u;

// Which word the lane looks after, counted over all blocks, and how often that changed.
@if(!BUMP) var<private> resident: u32;
@if(!BUMP) var<private> changes: u32;

@if(!BUMP) fn next_resident(warp: u32, lane: u32, blocks: u32) {
  resident = mix32(warp * 0x9e3779b1u + changes) % blocks * BLOCK_WORDS + (lane + changes) % BLOCK_WORDS;
  changes += 1u;
}

// A slab of the word, NO_SLAB if all are in use.
@if(!BUMP) fn take_from(word: u32) -> u32 {
  var bits = atomicLoad(&pool[word]);
  for (var tries = 0u; tries < 32u && bits != 0xffffffffu; tries++) {
    let unit = lowest_bit(~bits);
    let before = atomicOr(&pool[word], 1u << unit);
    if (((before >> unit) & 1u) == 0u) { return word * 32u + unit; }
    bits = before;
    // Mostly the first one is free: further turns weigh by themselves.
    @if(COUNT) count_region(WAIT);
  }
  return NO_SLAB;
}

// A slab of the pool's `blocks` memory blocks.
@if(!BUMP) fn allocate(warp: u32, lane: u32, blocks: u32, scan: bool) -> u32 {
  if (changes == 0u) { next_resident(warp, lane, blocks); }
  for (var change = 0u; change < CHANGES; change++) {
    let unit = take_from(resident);
    if (unit != NO_SLAB) { return unit; }
    next_resident(warp, lane, blocks);
  }
  if (!scan) { return NO_SLAB; }
  let words = blocks * BLOCK_WORDS;
  for (var i = 0u; i < min(words, SCANNED); i++) {
    resident = select(resident + 1u, 0u, resident + 1u >= words);
    let unit = take_from(resident);
    if (unit != NO_SLAB) { return unit; }
  }
  return NO_SLAB;
}
@if(!BUMP) fn deallocate(unit: u32) { atomicAnd(&pool[unit / 32u], ~(1u << (unit % 32u))); }

@if(BUMP) fn allocate(warp: u32, lane: u32, blocks: u32, scan: bool) -> u32 {
  // Looked at first, so that it cannot run over.
  if (atomicLoad(&pool[0]) >= blocks * UNITS) { return NO_SLAB; }
  let unit = atomicAdd(&pool[0], 1u);
  return select(NO_SLAB, unit, unit < blocks * UNITS);
}
@if(BUMP) fn deallocate(unit: u32) {}
