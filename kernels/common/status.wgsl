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
