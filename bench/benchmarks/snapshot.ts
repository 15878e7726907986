/** What a table held, to be put back before every sample: quicker than building it again. */
import type { Owner } from "../../kernels/device/owned.js";

export class Snapshot {
  private constructor(
    private readonly gpu: Owner,
    private readonly copies: readonly { readonly of: GPUBuffer; readonly saved: GPUBuffer }[],
  ) {}

  /** A copy of the buffers, which `gpu` owns. Throws DoesNotFit. */
  static async take(gpu: Owner, buffers: readonly GPUBuffer[]): Promise<Snapshot> {
    const copies = [];
    for (const of of buffers) copies.push({ of, saved: await gpu.alloc(`copy of ${of.label}`, of.size) });
    await gpu.submit(copies.map(({ of, saved }) => ({ from: of, to: saved, bytes: of.size })));
    return new Snapshot(gpu, copies);
  }

  /** Resolves once all is as it was. */
  async restore(): Promise<void> {
    await this.gpu.submit(this.copies.map(({ of, saved }) => ({ from: saved, to: of, bytes: of.size })));
    await this.gpu.finished();
  }
}
