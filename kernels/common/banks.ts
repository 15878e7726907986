/** Tables beyond the largest binding: several buffers, of which every access of a kernel chooses one. */
import type { Owner } from "../device/owned.js";

/** With six banks the kernels have no more buffers than SwiftShader takes. */
export const MAX_BANKS = 6;

/** Conditions of banks.wgsl and banks-read.wgsl for kernels that bind so many banks. */
export function bankConditions(count: number): Record<string, boolean> {
  return Object.fromEntries([3, 4, 5, 6].map((least) => [`BANK_${least}`, count >= least]));
}

/** Banks by their names there. */
export function namedBanks(banks: readonly GPUBuffer[]): Record<string, GPUBuffer> {
  const last = banks.length - 1;
  return Object.fromEntries(banks.map((bank, i) => [i === last ? "last_bank" : `bank${i}`, bank]));
}

/** What kernels with several banks bind: MAX_BANKS buffers, those that are not there by a few bytes. */
export async function bindBanks(gpu: Owner, banks: readonly GPUBuffer[]): Promise<Record<string, GPUBuffer>> {
  const all: GPUBuffer[] = [];
  for (let i = 0; i < MAX_BANKS; i++) all.push(banks[i] ?? (await gpu.alloc(`no bank ${i}`, 16)));
  return namedBanks(all);
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

/** Buckets of each pass over a table in banks. */
export function passesOf({ bytes, passBytes = 0, sizes: { buckets = 0 } }: PassPlan) {
  const count = passBytes > 0 ? Math.ceil(bytes / passBytes) : 1;
  const size = Math.ceil(buckets / count);
  return Array.from({ length: count }, (_, i) => ({ first: i * size, end: Math.min(buckets, (i + 1) * size) }));
}
