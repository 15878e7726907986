// Allocators of slabs (section V). A slab is handed out EMPTY in all words and comes back so: WGSL has no fence, so what a
// slab holds when it is linked must have been written before this dispatch.
//
//   light  SlabAlloc-light: one contiguous array of memory blocks, 1,024 slabs each. pool = 32 words a block, a bit a slab,
//          set while it is in use. Each lane of a warp takes slabs from one word of the warp's resident block; when that word is
//          full, a hash of warp and number of changes chooses the next resident block, and the lane's word in it.
//          After CHANGES of them the lane looks at all blocks before it says that no slab is left: one that it sees full it
//          marks, and no lane looks at it again in this pass. Where none is given back in the pass, there is none left then.
//   BUMP   pool[0] = slabs handed out. Nothing comes back before the table is cleared.
// Status: the words of the kernel that allocates, then (not BUMP) the marks, a bit a block; zero before the pass.
// Address of a slab: its number in the table; those of the pool come after the base slabs.
// Bounds: CHANGES changes of the resident block, then each block of the pool once; 32 RMWs a word.
import package::kernels::common::hash::mix32;
import package::kernels::common::status::Status;
@if(!BUMP) import package::kernels::common::bits::lowest_bit;
@if(COUNT && !BUMP) import package::kernels::common::count::{count_region, WAIT};

// `left`: lanes that found no slab. Those after them in the pass do not look at all blocks.
struct AllocatorStatus { words: Status, marks: array<atomic<u32>> }
@group(0) @binding(4) var<storage, read_write> status: AllocatorStatus;
@group(0) @binding(5) var<storage, read_write> pool: array<atomic<u32>>;

// No slab is free.
const NO_SLAB = 0xffffffffu;
const UNITS = 1024u;
const BLOCK_WORDS = UNITS / 32u;
const CHANGES = 16u;

// The word that the lane takes slabs from, counted over all blocks, and how often that changed.
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
    // Rare, since the first one is mostly free: a region of its own.
    @if(COUNT) count_region(WAIT);
  }
  return NO_SLAB;
}

// A slab of any block that is not marked; NO_SLAB if all blocks are.
@if(!BUMP) fn take_from_any(blocks: u32) -> u32 {
  let groups = (blocks + 31u) / 32u;
  let own = resident / BLOCK_WORDS;
  var group = own / 32u;
  for (var looked = 0u; looked < groups; looked++) {
    let there = min(32u, blocks - group * 32u);
    // Each turn marks a block, if another lane has not.
    for (var turn = 0u; turn < there; turn++) {
      let open = ~atomicLoad(&status.marks[group]) & (0xffffffffu >> (32u - there));
      if (open == 0u) { break; }
      // Lanes of different blocks begin at different ones.
      let after = open & (0xffffffffu << (own % 32u));
      let bit = lowest_bit(select(open, after, after != 0u));
      let first = (group * 32u + bit) * BLOCK_WORDS;
      var unit = NO_SLAB;
      for (var i = 0u; i < BLOCK_WORDS && unit == NO_SLAB; i++) {
        resident = first + (resident + 1u) % BLOCK_WORDS;
        unit = take_from(resident);
      }
      if (unit != NO_SLAB) { return unit; }
      atomicOr(&status.marks[group], 1u << bit);
    }
    group = select(group + 1u, 0u, group + 1u == groups);
  }
  return NO_SLAB;
}

// A slab of the pool's `blocks` memory blocks.
@if(!BUMP) fn allocate(warp: u32, lane: u32, blocks: u32) -> u32 {
  if (changes == 0u) { next_resident(warp, lane, blocks); }
  for (var change = 0u; change < CHANGES; change++) {
    let unit = take_from(resident);
    if (unit != NO_SLAB) { return unit; }
    next_resident(warp, lane, blocks);
  }
  if (atomicLoad(&status.words.left) != 0u) { return NO_SLAB; }
  return take_from_any(blocks);
}
@if(!BUMP) fn deallocate(unit: u32) { atomicAnd(&pool[unit / 32u], ~(1u << (unit % 32u))); }

@if(BUMP) fn allocate(warp: u32, lane: u32, blocks: u32) -> u32 {
  // Looked at first, so that it cannot run over.
  if (atomicLoad(&pool[0]) >= blocks * UNITS) { return NO_SLAB; }
  let unit = atomicAdd(&pool[0], 1u);
  return select(NO_SLAB, unit, unit < blocks * UNITS);
}
@if(BUMP) fn deallocate(unit: u32) {}
