// Result of a check: how many of its items are wrong, and the first of them, which starts as the largest word.
struct Verdict { wrong: atomic<u32>, first: atomic<u32> }
@group(0) @binding(12) var<storage, read_write> verdict: Verdict;

fn wrong(item: u32) {
  atomicAdd(&verdict.wrong, 1u);
  atomicMin(&verdict.first, item);
}
