// The place of the lowest set bit; 32 if there is none. Not countTrailingZeros: SPIR-V has no such instruction, and Tint makes 26
// of it, each dependent on the one before; this takes 4. Kernels with work sharing do it twice a turn.
fn lowest_bit(mask: u32) -> u32 { return countOneBits(~mask & (mask - 1u)); }
