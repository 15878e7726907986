import { stridedUpdates } from "../../benchmarks/limits/strided.js";
import type { Experiment } from "../../experiment.js";

const strides = Array.from({ length: 17 }, (_, i) => 2 ** i);

export const fig47Strided: Experiment = {
  id: "cuckoo/fig4.7-strided",
  paper: "cuckoo",
  figureName: "Fig. 4.7, left",
  section: "4.5.3",
  title: "What an update costs without locality",
  setting: "Lane k of N updates element k · stride mod N of an array (the chapter's: 512 MB)",
  series: stridedUpdates.map(({ id, title }) => ({ table: id, label: title, bench: "strided" })),
  axes: { n: [2 ** 27], op: ["update"], params: { stride: strides } },
  quick: { params: { stride: strides.filter((_, i) => i % 4 === 0) } },
  figure: {
    kind: "line",
    x: { field: "params.stride", title: "Stride (elements)", scale: "log2" },
    metric: "mops",
    y: { title: "Updates", scale: "log10" },
  },
  notes:
    "n counts 4-byte words, so that the array has 512 MiB with elements of 4 and of 8 bytes. N is the largest prime of " +
    "elements in it (the chapter: all of them), because strides that divide N would come back to the same few elements. " +
    "access_rate: two accesses a plain update, one an atomic one. The chapter's third atomic is atomicInc, ours atomicAdd.",
};
