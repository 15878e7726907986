// The place of the lowest set bit; 32 if there is none. Not countTrailingZeros: SPIR-V has no such instruction, and Tint makes 26
// of it, one after another, which a warp that shares its work would do twice a turn; this is 4.
fn lowest_bit(mask: u32) -> u32 { return countOneBits(~mask & (mask - 1u)); }
