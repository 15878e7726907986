import type { Experiment } from "../../base/experiment.js";
import { stridedSeries } from "../helpers.js";

export const fig47Strided: Experiment = {
  id: "cuckoo/fig4.7-strided",
  source: { section: "4.5.3", figure: "Fig. 4.7, left" },
  title: "Updates of an array by their stride: what locality is worth",
  setting: "Lane k of N updates element k · stride mod N of an array of 512 MiB, as the chapter's, or just below 256",
  series: stridedSeries(),
  axes: { n: [2 ** 26, 2 ** 27], op: ["update"], params: { stride: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536] } },
  quick: { params: { stride: [1, 16, 64, 1024, 65536] } },
  figure: {
    kind: "line",
    x: { field: "params.stride", title: "Stride (elements)", scale: "log2" },
    metric: "mops",
    y: { title: "Updates", scale: "log10" },
    paper: [{ label: "0.67 G/s without locality (GTX 480)", value: 670 }],
    facet: { field: "n", title: "Array (MiB)", factor: 4 / 2 ** 20 },
  },
  notes:
    "n counts 4-byte words, so that the array has as many bytes with elements of 4 and of 8. N is a little smaller than the number " +
    "of elements (the chapter: equal), because strides that divide N would come back to the same few: by 43 elements of 4 bytes or " +
    "21 of 8, so that with both a lane's element lies about 170 bytes from that of the lane which passed the same place in the turn " +
    "before, in another cache line. access_rate: two accesses per plain update, one per atomic one. The chapter's third atomic is " +
    "atomicInc, ours atomicAdd.",
};
