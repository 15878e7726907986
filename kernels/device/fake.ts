/** A device for tests of who frees what: it has no adapter, and it knows which buffers are live. */
import { DoesNotFit } from "./errors.js";
import { type Kernel, type KernelSource, type MemoryKind, MORE_WORDS, type Pass, type Step } from "./gpu.js";
import { IdleGpu, idleBuffer } from "./idle.js";

/** Its own for each device: tests give some of them other limits. */
const infoOf = () => ({
  name: "fake",
  vendor: "",
  architecture: "",
  driver: "",
  software: true,
  subgroupMin: 0,
  subgroupMax: 0,
  features: [],
  limits: {},
  toggles: "",
});

export class FakeGpu extends IdleGpu {
  /** All that was ever allocated, in order, and where. */
  readonly allocations: { readonly label: string; readonly memory: MemoryKind }[] = [];
  private readonly buffers = new Set<GPUBuffer>();

  /**
   * @param failing Number of the allocation, from 1, that throws DoesNotFit; 0: none does.
   * @param status What every pass leaves in its status buffer.
   */
  constructor(
    private readonly failing = 0,
    private readonly status: readonly number[] = [0, 0, 0, 0],
  ) {
    super(infoOf(), 2 ** 31 - 16);
  }

  /** Labels of the buffers that nobody has destroyed. */
  get live(): string[] {
    return [...this.buffers].map(({ label }) => label);
  }

  /** Of these. */
  get bytes(): number {
    return [...this.buffers].reduce((sum, { size }) => sum + size, 0);
  }

  override async alloc(label: string, bytes: number, memory: MemoryKind = "device"): Promise<GPUBuffer> {
    this.allocations.push({ label, memory });
    if (this.allocations.length === this.failing) throw new DoesNotFit(`${label}: as asked for`);
    return super.alloc(label, bytes, memory);
  }

  async kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    const { file, entry = "main", conditions, constants = {}, bound = {}, takes } = source;
    const counted = conditions?.COUNT && { file, wgsl: `fn ${entry}() {}`, entry, constants };
    return {
      file,
      pipeline: {} as GPUComputePipeline,
      bound,
      ...(takes && { takes }),
      uniform: (words) => this.uniform(words),
      ...(counted && { counted }),
    };
  }

  override async time(_steps: readonly Step[]): Promise<Pass> {
    return { ns: 1000, status: Uint32Array.from(this.status), more: new Uint32Array(MORE_WORDS) };
  }

  protected override make(label: string, bytes: number): GPUBuffer {
    const buffer = idleBuffer(label, bytes, (freed) => this.buffers.delete(freed));
    this.buffers.add(buffer);
    return buffer;
  }
}
