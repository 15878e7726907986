import type { Headlines } from "../../claims/headlines.js";

export const headlines: Headlines = {
  paper: "stadium",
  about:
    "A ticket-board of a few bits a slot stands beside the table and resolves most collisions, so that the table itself may lie in host memory. The paper measured " +
    "it on a GTX 780, against CUDPP's cuckoo hashing.",
  conclusions: [
    {
      quote:
        "For concurrent insertion and retrieval streams, Stadium hashing can be up to 2 and 3 times faster than GPU Cuckoo hashing for in-core and out-of-core " +
        "tables respectively.",
      section: "abstract",
      claims: ["stadium/fig14b:headline", "stadium/fig16b:headline"],
    },
    {
      quote:
        "When all the query keys exist in the table (Figure 14(a)), our method is 1.04x–1.19x faster than GPU cuckoo hashing on average.",
      section: "IV-A",
      claims: [
        "stadium/fig14a:ticket-1",
        "stadium/fig14a:ticket-2",
        "stadium/fig14a:ticket-4",
        "stadium/fig14a:ticket-8",
      ],
    },
    {
      quote:
        "When only a portion of the query keys are available in the table (Figure 14(b)), the speedup provided by our method is higher and is between 1.55x–1.65x.",
      section: "IV-A",
      claims: [
        "stadium/fig14b:ticket-1",
        "stadium/fig14b:ticket-2",
        "stadium/fig14b:ticket-4",
        "stadium/fig14b:ticket-8",
      ],
    },
    {
      quote:
        "While Cuckoo performance drops significantly by mixing the operations (61.3% on average), Stash performance changes only slightly (concurrency efficiency " +
        "is 96.8% on average).",
      section: "IV-A",
      claims: ["stadium/fig15:cuckoo", "stadium/fig15:stash"],
    },
    {
      quote:
        "On average, retrievals with ticket sizes 8, 4, and 2 are respectively 1.59, 1.50, and 1.14 times faster than Cuckoo-GPU.",
      section: "IV-A",
      claims: ["stadium/fig17b:ticket-8", "stadium/fig17b:ticket-4", "stadium/fig17b:ticket-2"],
    },
    {
      quote:
        "clStash warp execution efficiency is around 2x and 3.5x higher than Stash’s and Cuckoo-GPU’s respectively.",
      section: "I",
      claims: ["stadium/table1:over-stash", "stadium/table1:over-cuckoo"],
    },
    {
      quote:
        "Also when the table resides inside the GPU global memory (Figure 18(b)), enhancing warp execution efficiency of the Stash with Collaborative Lanes method " +
        "increases the performance.",
      section: "IV-B",
      claims: ["stadium/fig18b:lanes"],
    },
    {
      quote:
        "First, the ticket size one has a higher rate of insertion since it does not involve creation and insertion of ticket info bits.",
      section: "IV-C",
      claims: ["stadium/fig19a:ticket-1-over-2", "stadium/fig19a:ticket-1-over-4", "stadium/fig19a:ticket-1-over-8"],
    },
  ],
};
