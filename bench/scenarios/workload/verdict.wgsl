// What a check says: how many of its items are wrong, and the first of them, which begins with the last word that there is.
struct Verdict { wrong: atomic<u32>, first: atomic<u32> }
@group(0) @binding(12) var<storage, read_write> verdict: Verdict;

fn wrong(item: u32) {
  atomicAdd(&verdict.wrong, 1u);
  atomicMin(&verdict.first, item);
}
