import type { Headlines } from "../../claims/headlines.js";

export const headlines: Headlines = {
  paper: "dycuckoo",
  about:
    "A cuckoo hash table of several sub-tables, of which one at a time is doubled or halved, so that the filled factor stays between two bounds. The paper " +
    "measured it on a Tesla P100, against MegaKV, the slab hash, CUDPP and WarpDrive.",
  conclusions: [
    {
      quote:
        "INSERT increases its throughput with more hash tables … However, performance slightly degrades with more than four hash tables.",
      section: "6.2",
      claims: ["dycuckoo/fig7:insert-best"],
    },
    {
      quote: "DyCuckoo accesses smaller number of buckets than that of rehashing in the upsize scenario.",
      section: "6.2",
      claims: ["dycuckoo/table4:upsize-fewer"],
    },
    {
      quote:
        "The throughput advantage of DyCuckoo cannot be explained solely by the smaller number of buckets accessed for resizing.",
      section: "6.2",
      claims: ["dycuckoo/fig8:upsize", "dycuckoo/fig8:more-than-buckets"],
    },
    {
      quote:
        "For INSERT, Warp demonstrates the best performance overall … Nevertheless, DyCuckoo shows competitive throughput.",
      section: "6.3",
      claims: ["dycuckoo/fig9:insert-warp-over-dycuckoo", "dycuckoo/fig9:insert-dycuckoo-competitive"],
    },
    {
      quote:
        "Although DyCuckoo also checks two buckets, it has slightly inferior performance to MegaKV because DyCuckoo employs another layer of hashing",
      section: "6.3",
      claims: ["dycuckoo/fig9:find-dycuckoo-behind-megakv"],
    },
    {
      quote:
        "DyCuckoo shows the best overall performance. Furthermore, the throughput margin between DyCuckoo and MegaKV increases for larger r values.",
      section: "6.4",
      claims: ["dycuckoo/fig11:over-megakv", "dycuckoo/fig11:over-slab", "dycuckoo/fig11:margin-grows"],
    },
    {
      quote:
        "DyCuckoo demonstrates the best overall stability and saves up to 4x memory over the compared baselines (the COM dataset).",
      section: "6.4",
      claims: ["dycuckoo/fig12:dycuckoo-steady", "dycuckoo/fig12:memory"],
    },
    {
      quote:
        "The performance of DyCuckoo is not affected significantly due to the incremental resizing approach by updating only one subtable at a time.",
      section: "6.4",
      claims: ["dycuckoo/fig14:dycuckoo-flat"],
    },
  ],
};
