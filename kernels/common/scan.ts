/** Exclusive prefix sums on the device (scan.wgsl), as steps that other kernels' passes can contain. */
import { dispatch } from "../device/bind.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { WORKGROUP } from "./steps.js";

/** Words of a tile: one vec4 a lane. */
const TILE = 4 * WORKGROUP;
/** Spans an array is cut into, at most. */
const MAX_SPANS = 1024;
/** Up to so many tiles one workgroup takes less time than a second dispatch. */
const ONE_SPAN_TILES = 8;

export class PrefixSum {
  private constructor(
    private readonly sums: Kernel<"data" | "spans">,
    private readonly scan: Kernel<"data" | "spans">,
  ) {}

  /** Throws DoesNotFit. */
  static async make(gpu: Owner): Promise<PrefixSum> {
    const bound = { span_sums: await gpu.alloc("sums of spans", MAX_SPANS * 4) };
    const kernel = (entry: string) =>
      gpu.kernel({ file: "kernels/common/scan.wgsl", entry, bound, takes: ["data", "spans"] });
    const [sums, scan] = await Promise.all([kernel("sums"), kernel("scan")]);
    return new PrefixSum(sums, scan);
  }

  /**
   * Steps (none, one or two) that replace each of the first `words` words of `data` by the sum, modulo 2^32, of those before
   * it. For the total, append a zero to the array. `data` is a buffer of `Gpu.alloc`, of whole vec4s.
   */
  steps(data: GPUBuffer, words: number): Step[] {
    if (words === 0) return [];
    const all = Math.ceil(words / TILE);
    const tiles = all <= ONE_SPAN_TILES ? all : Math.ceil(all / MAX_SPANS);
    const groups = Math.ceil(all / tiles);
    const bindings = { data, spans: { words, tiles } };
    const scan = dispatch(this.scan, groups, bindings);
    return groups === 1 ? [scan] : [dispatch(this.sums, groups, bindings), scan];
  }
}
