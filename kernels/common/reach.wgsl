// The most slots, or buckets, that any insertion since the table was cleared has looked at to get its slot. Where keys are erased and their
// slots taken again, few slots are EMPTY after some time, or searches go on at free slots: they end here at the latest.
@group(0) @binding(9) var<storage, read_write> longest_probe: atomic<u32>;

fn get_reach() -> u32 { return atomicLoad(&longest_probe); }
// Few insertions get further than all before them.
fn extend_reach(probes: u32) {
  if (probes > atomicLoad(&longest_probe)) { atomicMax(&longest_probe, probes); }
}
