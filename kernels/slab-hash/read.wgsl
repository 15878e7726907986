// Slabs in a dispatch that does not change them: plain loads, a word (WORDS) or a vec4 each. `slab` is an address (slab.wgsl).
// SUPER: as in words.wgsl.
import package::kernels::common::banks_read::Part;
import package::kernels::slab_hash::slab::SLAB_WORDS;
@if(SUPER) import package::kernels::common::banks_read::part_at;
@if(SUPER) import package::kernels::slab_hash::slab::{SUPER_SHIFT, IN_SUPER};

// Parts of a slab.
@if(WORDS) const PARTS = SLAB_WORDS;
@if(!WORDS) const PARTS = SLAB_WORDS / 4u;

@if(!SUPER) @group(0) @binding(0) var<storage, read> table: array<Part>;
@if(!SUPER) fn part_of(slab: u32, i: u32) -> Part { return table[slab * PARTS + i]; }
@if(SUPER) fn part_of(slab: u32, i: u32) -> Part { return part_at((slab & IN_SUPER) * PARTS + i, slab >> SUPER_SHIFT); }
