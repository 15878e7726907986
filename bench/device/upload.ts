/** Many words from the host. */
import { type Owner, scoped } from "../../kernels/device/owned.js";

/** Words that are written at a time. */
export const PIECE = 2 ** 22;
const WORD = 4;

/**
 * Writes the first n words of a buffer by pieces, in memory that is mapped again for the next piece but one: a large
 * `writeBuffer` takes new memory each time. Resolves once all are written.
 * @param fill writes the words of the buffer from `first` on into the piece
 */
export function upload(
  gpu: Owner,
  buffer: GPUBuffer,
  n: number,
  fill: (piece: Uint32Array, first: number) => Promise<void> | void,
): Promise<void> {
  return scoped(gpu, async (own) => {
    const memory = () => own.staging("words from the host", "write", WORD * Math.min(PIECE, n));
    /** Mapped once they resolve, the next one in front. */
    const mapped = n > PIECE ? [memory(), memory()] : [memory()];
    for (let first = 0; first < n; first += PIECE) {
      const staging = (await mapped.shift()) ?? (await memory());
      const words = Math.min(PIECE, n - first);
      await fill(new Uint32Array(staging.getMappedRange(0, WORD * words)), first);
      staging.unmap();
      await own.submit([{ from: staging, to: buffer, toOffset: WORD * first, bytes: WORD * words }]);
      const again = staging.mapAsync(GPUMapMode.WRITE).then(() => staging);
      // It is waited for later, if no piece fails before.
      again.catch(() => undefined);
      mapped.push(again);
    }
    await Promise.all(mapped);
  });
}
