/** Tables beyond the largest binding: several buffers, of which every access of a kernel chooses one. */
import type { Owner } from "../device/owned.js";

/** Bindings of the banks: with six of them the kernels have no more buffers than SwiftShader takes. */
const BINDINGS = [0, 20, 21, 22, 23, 24] as const;
export const MAX_BANKS = BINDINGS.length;

/** What kernels with several banks bind: MAX_BANKS buffers, those that are not there by a few bytes. */
export async function bindBanks(gpu: Owner, banks: readonly GPUBuffer[]): Promise<Record<number, GPUBuffer>> {
  const bound: Record<number, GPUBuffer> = {};
  for (const [i, binding] of BINDINGS.entries()) bound[binding] = banks[i] ?? (await gpu.alloc(`no bank ${i}`, 16));
  return bound;
}

/** Banks are of whole buckets, of up to so many words. */
const BUCKET_WORDS = 8;

/** Words of a bank, and how many banks a table has; one, of the table's size, where it fits a binding. */
export function banksOf(bytes: number, maxBinding: number): { readonly words: number; readonly count: number } {
  if (bytes <= maxBinding) return { words: Math.ceil(bytes / 4), count: 1 };
  const words = BUCKET_WORDS * Math.floor(maxBinding / 4 / BUCKET_WORDS);
  return { words, count: Math.ceil(bytes / 4 / words) };
}

/** Bytes of a table, and of a pass over it (0 or left out: one pass); its number of buckets. */
interface PassPlan {
  readonly bytes: number;
  readonly passBytes?: number;
  readonly sizes: Readonly<Record<string, number>>;
}

/** First bucket of each pass over a table in banks, and the one after its last. */
export function passesOf({ bytes, passBytes = 0, sizes: { buckets = 0 } }: PassPlan) {
  const count = passBytes > 0 ? Math.ceil(bytes / passBytes) : 1;
  const size = Math.ceil(buckets / count);
  return Array.from({ length: count }, (_, i) => [i * size, Math.min(buckets, (i + 1) * size)] as const);
}
