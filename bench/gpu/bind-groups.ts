/**
 * Bind groups, made once for a pipeline and its buffers. Making one takes 50 µs of the host, and a mixed batch has 671 a pass:
 * longer than the pass itself, in which time a GPU lowers its clocks.
 */
import type { Step } from "../../kernels/device/gpu.js";

/** Groups that are kept at least, of those used last; twice as many at most. */
const KEPT = 2 ** 14;

export class BindGroups {
  private readonly numbers = new WeakMap<object, number>();
  private next = 0;
  private recent = new Map<string, GPUBindGroup>();
  private before = new Map<string, GPUBindGroup>();

  constructor(
    private readonly device: Pick<GPUDevice, "createBindGroup">,
    private readonly keeps = KEPT,
  ) {}

  /** Group 0 of the pipeline with these buffers, whole. */
  get(pipeline: GPUComputePipeline, bindings: Step["bindings"]): GPUBindGroup {
    const bound = Object.entries(bindings);
    const key = `${this.number(pipeline)} ${bound.map(([binding, buffer]) => `${binding}:${this.number(buffer)}`).join()}`;
    const known = this.recent.get(key);
    if (known) return known;
    const group = this.before.get(key) ?? this.make(pipeline, bound);
    if (this.recent.size >= this.keeps) {
      this.before = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, group);
    return group;
  }

  private make(pipeline: GPUComputePipeline, bound: readonly (readonly [string, GPUBuffer])[]): GPUBindGroup {
    const entries = bound.map(([binding, buffer]) => ({ binding: Number(binding), resource: { buffer } }));
    return this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  }

  /** The same for the same object, and for no other one. */
  private number(of: object): number {
    const known = this.numbers.get(of);
    if (known !== undefined) return known;
    this.next += 1;
    this.numbers.set(of, this.next);
    return this.next;
  }
}
