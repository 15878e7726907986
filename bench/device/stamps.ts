/** GPU times of what somebody else submits to a device: of the passes that have a label. */

/** Passes between two calls of `take`, at most. */
const MOST = 1024;
const STAMP_BYTES = 8;

/**
 * Stamps passes on their way to the device. As in the harness' timer, the begin of a pass is the end of an empty one before it: Dawn on
 * Vulkan may stamp a begin while what was submitted before is running.
 */
export class Stamps {
  /** The device, to be given to whom is timed. */
  readonly device: GPUDevice;
  private readonly querySet: GPUQuerySet;
  private readonly resolved: GPUBuffer;
  private readonly readback: GPUBuffer;
  private passes = 0;

  /** @param label of the passes to time */
  constructor(
    private readonly own: GPUDevice,
    private readonly label: string,
  ) {
    const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    const size = 2 * MOST * STAMP_BYTES;
    this.querySet = own.createQuerySet({ type: "timestamp", count: 2 * MOST });
    this.resolved = own.createBuffer({ size, usage: QUERY_RESOLVE | COPY_SRC });
    this.readback = own.createBuffer({ size, usage: COPY_DST | MAP_READ });
    this.device = replacing(own, "createCommandEncoder", (descriptor?: GPUCommandEncoderDescriptor) => {
      const encoder = own.createCommandEncoder(descriptor);
      return replacing(encoder, "beginComputePass", (pass?: GPUComputePassDescriptor) => this.begin(encoder, pass));
    });
  }

  /** ns of the passes that were submitted since the last call, each from its begin to its end, once they have ended. */
  async take(): Promise<number> {
    const count = 2 * this.passes;
    if (count === 0) throw new Error(`no pass ${this.label} was submitted`);
    this.passes = 0;
    const encoder = this.own.createCommandEncoder();
    encoder.resolveQuerySet(this.querySet, 0, count, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.readback, 0, count * STAMP_BYTES);
    this.own.queue.submit([encoder.finish()]);
    await this.readback.mapAsync(GPUMapMode.READ, 0, count * STAMP_BYTES);
    const stamps = new BigUint64Array(this.readback.getMappedRange(0, count * STAMP_BYTES).slice(0));
    this.readback.unmap();
    return stamps.reduce((sum, stamp, i) => sum + (i % 2 === 0 ? 0 : Number(stamp - (stamps[i - 1] ?? stamp))), 0);
  }

  destroy(): void {
    this.querySet.destroy();
    this.resolved.destroy();
    this.readback.destroy();
  }

  private begin(encoder: GPUCommandEncoder, pass: GPUComputePassDescriptor = {}): GPUComputePassEncoder {
    if (pass.label !== this.label) return encoder.beginComputePass(pass);
    if (this.passes === MOST) throw new Error(`more than ${MOST} passes ${this.label}`);
    const { querySet } = this;
    const first = 2 * this.passes++;
    encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: first } }).end();
    return encoder.beginComputePass({ ...pass, timestampWrites: { querySet, endOfPassWriteIndex: first + 1 } });
  }
}

/** An object of WebGPU's, one method of which is another. */
function replacing<T extends object, Name extends keyof T>(object: T, method: Name, by: T[Name]): T {
  return new Proxy(object, {
    get(target, name) {
      if (name === method) return by;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
