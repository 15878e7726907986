// Slabs in a dispatch that does not change them: plain loads, a word (WORDS) or a vec4 each. `slab` is an address (slab.wgsl).
import package::kernels::common::banks::offset;
import package::kernels::common::parts::{part_at, Part, PART_WORDS};
import package::kernels::slab_hash::slab::{place_of, SLAB_WORDS};

fn part_of(slab: u32, i: u32) -> Part { return part_at(offset(place_of(slab, SLAB_WORDS / PART_WORDS), i)); }
