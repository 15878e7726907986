// Slabs in a dispatch that does not change them: plain loads, a word (WORDS) or a vec4 each. `slab` is an address (slab.wgsl).
// SUPER: every super block is a binding, and every load chooses one: WGSL has no pointers from one buffer into another.
import package::kernels::slab_hash::slab::SLAB_WORDS;
@if(SUPER) import package::kernels::slab_hash::slab::{SUPER_SHIFT, IN_SUPER};

@if(WORDS) alias Part = u32;
@if(!WORDS) alias Part = vec4u;
// Parts of a slab.
@if(WORDS) const PARTS = SLAB_WORDS;
@if(!WORDS) const PARTS = SLAB_WORDS / 4u;

@group(0) @binding(0) var<storage, read> table: array<Part>;
@if(SUPER) @group(0) @binding(9) var<storage, read> super0: array<Part>;
@if(SUPER) @group(0) @binding(10) var<storage, read> super1: array<Part>;
@if(SUPER) @group(0) @binding(11) var<storage, read> super2: array<Part>;
@if(SUPER) @group(0) @binding(12) var<storage, read> super3: array<Part>;

@if(!SUPER) fn part_of(slab: u32, i: u32) -> Part { return table[slab * PARTS + i]; }
@if(SUPER) fn part_of(slab: u32, i: u32) -> Part {
  let at = (slab & IN_SUPER) * PARTS + i;
  switch slab >> SUPER_SHIFT {
    case 0u: { return super0[at]; }
    case 1u: { return super1[at]; }
    case 2u: { return super2[at]; }
    case 3u: { return super3[at]; }
    default: { return table[at]; }
  }
}
