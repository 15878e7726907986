import type { Headlines } from "../../claims/headlines.js";

export const headlines: Headlines = {
  paper: "slab",
  about:
    "Chains of 128-byte slabs on which a warp works together, with an allocator of its own, so that pairs are inserted, deleted and searched at the same time. The " +
    "paper measured it on a Tesla K40c, against CUDPP's cuckoo hashing and the lock-free table of Misra and Chaudhuri.",
  conclusions: [
    {
      quote:
        "On an NVIDIA Tesla K40c GPU, the slab hash performs updates with up to 512 M updates/s and processes search queries with up to 937 M queries/s.",
      section: "abstract",
      claims: ["slab/fig4a:peak", "slab/fig4b:peak"],
    },
    {
      quote: "SlabAlloc dynamically allocates memory at a rate of 600 M allocations/s",
      section: "abstract",
      claims: ["slab/alloc:rate"],
    },
    {
      quote: "SlabAlloc-light gives us up to 25% performance improvement compared to the regular SlabAlloc",
      section: "V",
      claims: ["slab/alloc:light"],
    },
    {
      quote: "The slab hash gets its best performance from 19–60% memory utilization",
      section: "VI-A",
      claims: ["slab/fig4a:best", "slab/fig4b:best"],
    },
    {
      quote:
        "At about 65% memory utilization there is a sudden drop in performance for both insertions and search queries.",
      section: "VI-A",
      claims: ["slab/fig4a:drop", "slab/fig4b:drop-all", "slab/fig4b:drop-none"],
    },
    {
      quote:
        "using a geometrical mean over all utilizations and n = 2²², cuckoo hashing is 1.33x, 2.08x, and 2.04x faster than the slab hash for build, search-all, and " +
        "search-none respectively",
      section: "VI-A",
      claims: ["slab/fig4a:cuckoo", "slab/fig4b:cuckoo-all", "slab/fig4b:cuckoo-none"],
    },
    {
      quote:
        "the slab hash significantly outperforms cuckoo hashing by reaching final speedup of 6.4x, 10.4x, and 17.3x for batches of size 128k, 64k, and 32k",
      section: "VI-A",
      claims: ["slab/fig6:batches-of-128k", "slab/fig6:batches-of-64k", "slab/fig6:batches-of-32k"],
    },
    {
      quote:
        "The slab hash significantly outperforms Misra’s hash table, with geometric mean speedup of 5.1x, 4.3x, and 3.1x for distributions with 100%, 40% and 20% " +
        "updates respectively.",
      section: "VI-B",
      claims: ["slab/fig7b:updates-100", "slab/fig7b:updates-40", "slab/fig7b:updates-20"],
    },
  ],
};
