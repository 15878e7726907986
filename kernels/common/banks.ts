/** Tables beyond the largest binding: several buffers, of which every access of a kernel chooses one (banks.wgsl). */
import { DoesNotFit } from "../device/errors.js";
import type { DeviceInfo } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";

/** That words.wgsl and parts.wgsl are written for. */
export const MAX_BANKS = 15;
/** Of every WebGPU device. */
const LEAST_BUFFERS = 8;
/** Bytes of a bank, whose words have numbers of 30 bits (banks.wgsl). */
const MOST_BYTES = 2 ** 32;

/** Banks that a kernel may bind beside so many other storage buffers. */
export function mostBanks({ limits }: Pick<DeviceInfo, "limits">, others: number): number {
  return Math.min(MAX_BANKS, (limits.maxStorageBuffersPerShaderStage ?? LEAST_BUFFERS) - others);
}

/** Conditions of words.wgsl and parts.wgsl for a table in so many banks. */
export function bankConditions(count: number): Record<string, boolean> {
  const more = Array.from({ length: MAX_BANKS - 2 }, (_, i) => [`BANK_${i + 3}`, count >= i + 3]);
  return { BANKED: count > 1, ...Object.fromEntries(more) };
}

/** The buffers of a table by their names there. */
export function namedBanks(banks: readonly GPUBuffer[]): Record<string, GPUBuffer> {
  const last = banks.length - 1;
  if (last === 0) return Object.fromEntries(banks.map((table) => ["table", table]));
  return Object.fromEntries(banks.map((bank, i) => [i === last ? "last_bank" : `bank${i}`, bank]));
}

/** A table's size, and that of a block, which lies in one bank. */
export interface Extent {
  readonly bytes: number;
  readonly blockBytes: number;
}

/** BANK_BLOCKS of banks.wgsl, and the bytes of each bank; one, of the table's size, where it fits a binding. */
export function banksOf({ bytes, blockBytes }: Extent, maxBinding: number) {
  const most = Math.min(maxBinding, MOST_BYTES);
  const blocks = Math.floor(most / blockBytes);
  const size = bytes <= most ? bytes : blocks * blockBytes;
  const count = Math.ceil(bytes / size);
  return { blocks, sizes: Array.from({ length: count }, (_, i) => Math.min(size, bytes - i * size)) };
}

/** banksOf, on a device and for kernels that bind so many other storage buffers. Throws DoesNotFit. */
export function fittingBanks(
  device: { readonly info: Pick<DeviceInfo, "limits">; readonly maxBinding: number },
  table: Extent,
  others: number,
) {
  const { bytes, blockBytes } = table;
  const most = mostBanks(device.info, others);
  const banks = banksOf(table, device.maxBinding);
  if (banks.sizes.length > most && banks.sizes.length > 1)
    throw new DoesNotFit(
      `${bytes} bytes: the device binds ${Math.max(1, most) * banks.blocks * blockBytes}, in ${Math.max(1, most)} storage buffers`,
    );
  return banks;
}

/** The banks of a table of that name, and what its kernels bind and are made with. Throws DoesNotFit. */
export async function allocateBanks(gpu: Owner, name: string, { blocks, sizes }: ReturnType<typeof banksOf>) {
  const buffers: GPUBuffer[] = [];
  for (const [i, bytes] of sizes.entries()) buffers.push(await gpu.alloc(`bank ${i} of ${name}`, bytes));
  return {
    buffers,
    bound: namedBanks(buffers),
    conditions: bankConditions(buffers.length),
    constants: buffers.length > 1 ? { BANK_BLOCKS: blocks } : {},
  };
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
