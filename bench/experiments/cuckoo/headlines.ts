import type { Headlines } from "../../claims/headlines.js";

export const headlines: Headlines = {
  paper: "cuckoo",
  about:
    "A cuckoo hash table with one level that thousands of threads build at once: each exchanges its pair with what a slot holds and goes on with what it " +
    "evicted. The chapter measured it on a GTX 470 and a GTX 480, against the authors' two-level table and sorted arrays.",
  conclusions: [
    {
      quote:
        "on a GTX 470, our implementation can achieve hash insertion rates of around 250 million pairs per second; a table containing 32 million items can be " +
        "built in 130 ms and have all items retrieved in parallel in 66.8 ms",
      section: "abstract",
      claims: ["cuckoo/fig4.4-insert:rate", "cuckoo/fig4.4-insert:32m-time", "cuckoo/fig4.4-retrieve:32m-time"],
    },
    {
      quote: "for 32 million items, we saw an empirical restart rate of 0.56%",
      section: "4.3.1",
      claims: ["cuckoo/restarts:share"],
    },
    {
      quote:
        "Moreover, when both tables occupy 1.42N space, the single-level hash table has a significantly higher construction rate for all input sizes",
      section: "4.5.1",
      claims: ["cuckoo/fig4.4-insert:two-level-equal-space"],
    },
    {
      quote:
        "Except for inputs of size 16K or less, our retrievals complete more quickly than two-level hash table retrievals when the query keys all exist within " +
        "the hash table.",
      section: "4.5.1",
      claims: ["cuckoo/fig4.4-retrieve:two-level", "cuckoo/fig4.4-retrieve:two-level-small"],
    },
    {
      quote:
        "In contrast, our retrievals linearly increase from 20.5 ms to 41.6 ms because we use four probes in the worst case.",
      section: "4.5.1",
      claims: ["cuckoo/misses:4-functions-growth", "cuckoo/misses:4-functions-linear"],
    },
    {
      quote:
        "until each key is repeated an average of 512 times, the combination of our construction and retrieval times is faster than using the sorted structure " +
        "equivalent",
      section: "4.5.2",
      claims: ["cuckoo/fig4.5-retrieve:total-crosses"],
    },
    {
      quote: "However, our retrievals are consistently faster than binary-searching the structure.",
      section: "4.5.2",
      claims: ["cuckoo/fig4.6-retrieve:hash-faster"],
    },
    {
      quote:
        "The best performance (78% of the upper bound) is achieved with 4.5N space; half of the upper bound is achieved with 1.3N space.",
      section: "4.5.3",
      claims: ["cuckoo/fig4.7-model:best", "cuckoo/fig4.7-model:best-share", "cuckoo/fig4.7-model:half-share"],
    },
  ],
};
