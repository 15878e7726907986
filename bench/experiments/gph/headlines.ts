import type { Headlines } from "../../claims/headlines.js";

export const headlines: Headlines = {
  paper: "gph",
  about:
    "A perfect hashing scheme for GPUs: an index says which bucket holds a key, so that every lookup probes exactly one. The paper measured it on a Tesla V100S, " +
    "against CUDPP, DyCuckoo and WarpCore, and explains lookups by a model of occupancy, instructions and cycles.",
  conclusions: [
    {
      quote: "It is the only GPU-based hash table that achieves over 8000 MOPS in all tested cases.",
      section: "7.2",
      claims: ["gph/fig9:rate"],
    },
    {
      quote: "There is no doubt that our proposed GPH outperforms all competitors.",
      section: "7.2",
      claims: ["gph/fig9:over-cuckoo", "gph/fig9:over-dycuckoo", "gph/fig9:over-warpcore"],
    },
    {
      quote:
        "the improvement of GPH can be up to 2.11×, 3.63× and 2.52× over the existing GPU-based hash tables CUDPP, DyCuckoo, and WarpCore, respectively",
      section: "7.2",
      claims: ["gph/fig10:over-cuckoo", "gph/fig10:over-dycuckoo", "gph/fig10:over-warpcore"],
    },
    {
      quote: "the throughput of GPH for negative lookup workloads is over 8500 MOPS for all tested datasets",
      section: "7.2",
      claims: ["gph/fig10:gph-absent"],
    },
    {
      quote: "The AO of GPH is the largest, which reaches almost 100%.",
      section: "7.2",
      claims: ["gph/fig11a:gph", "gph/table2:occupancy-order"],
    },
    {
      quote:
        "The cut-off point between lookup and insert occurs when there are roughly 8 times more lookups than insertions.",
      section: "7.3",
      claims: ["gph/fig12a:break-even"],
    },
    {
      quote: "BR-ON, PH-ON outperforms BR-OFF PH-ON, and BR-OFF PH-ON outperforms BR-OFF PH-OFF in all cases",
      section: "7.4",
      claims: ["gph/fig13a:requester", "gph/fig13a:perfect", "gph/fig13b:requester", "gph/fig13b:perfect"],
    },
    {
      quote: "the throughput of the insert kernel of GPH is worse than those of other GPU-based hash tables",
      section: "7.4",
      claims: ["gph/fig14:cuckoo-over-gph", "gph/fig14:dycuckoo-over-gph", "gph/fig14:warpcore-over-gph"],
    },
  ],
};
