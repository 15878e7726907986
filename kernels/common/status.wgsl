// What kernels say of a pass: STATUS_WORDS of kernels/device/status.ts tells what each word means. They begin at zero.
struct Status {
  refused: atomic<u32>,
  changed: atomic<u32>,
  distinct: atomic<u32>,
  bound: atomic<u32>,
  misplaced: atomic<u32>,
  failed: atomic<u32>,
  left: atomic<u32>,
  halted: atomic<u32>,
}

// The same words for kernels that read what earlier ones of the pass said, a lane an item: unlike atomics, these reads go through the
// nearest cache.
struct StatusWords {
  refused: u32,
  changed: u32,
  distinct: u32,
  bound: u32,
  misplaced: u32,
  failed: u32,
  left: u32,
  halted: u32,
}
