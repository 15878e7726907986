// Windows of GROUP slots, and the order in which a key's windows are probed (Jünger et al., WarpDrive, IPDPS 2018, section
// IV.A; WarpCore, HiPC 2020). A group of lanes looks at a window together.
//
// Layout of a window's 2 · GROUP words:
//   word i             key of slot i
//   word GROUP + i     its value
// SIDE_BY_SIDE, as in the library:
//   word 2 · i         key of slot i
//   word 2 · i + 1     its value
// Windows are aligned: the keys of 8 slots are one 32-byte sector, and their values are the next one; or 4 pairs are one.
//
// Order of the windows, each once in sizes.windows probes:
//   LINEAR   one after another
//   HYBRID   runs of 32 slots by double hashing; the windows of a run one after another, from one that the key chooses
//   else     windows by double hashing
// There is a prime number of runs, and of windows where there are no runs.
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::hash::{mix32, mix32b, stepped};

struct Sizes { windows: u32, seed: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

// Slots a window, 1 to 32, a power of two.
override GROUP: u32;
// Windows a run.
@if(HYBRID) override RUN: u32 = 32u / GROUP;
@if(!HYBRID) const RUN = 1u;
// Words from a key to the next one.
@if(!SIDE_BY_SIDE) const STRIDE = 1u;
@if(SIDE_BY_SIDE) const STRIDE = 2u;
// Words from a key to its value.
@if(!SIDE_BY_SIDE) override TO_VALUE: u32 = GROUP;
@if(SIDE_BY_SIDE) const TO_VALUE = 1u;
// 32-byte sectors of a window's keys.
override SECTORS: u32 = max(1u, STRIDE * GROUP / 8u);

// The word of the key of a slot of a window.
fn key_in(window: u32, slot: u32) -> At { return offset(block_at(window, 2u * GROUP), STRIDE * slot); }
// The same, of slots that are numbered window after window.
fn key_at(slot: u32) -> At { return key_in(slot / GROUP, slot % GROUP); }

@if(!HYBRID) fn home_of(key: u32) -> u32 { return mix32(key ^ sizes.seed) % sizes.windows; }
@if(HYBRID) fn home_of(key: u32) -> u32 {
  let hash = mix32(key ^ sizes.seed);
  let runs = sizes.windows / RUN;
  return (hash % runs) * RUN + (hash / runs) % RUN;
}

// The window that comes after `window`, which is the key's probe number `probe` - 1.
@if(LINEAR) fn next_of(window: u32, key: u32, probe: u32) -> u32 { return select(window + 1u, 0u, window + 1u == sizes.windows); }
@if(!LINEAR) fn next_of(window: u32, key: u32, probe: u32) -> u32 {
  let inside = (window + 1u) % RUN;
  let run = window / RUN;
  if (probe % RUN != 0u) { return run * RUN + inside; }
  let runs = sizes.windows / RUN;
  return stepped(run, 1u + mix32b(key + sizes.seed) % (runs - 1u), runs) * RUN + inside;
}
