/** Tables beyond the largest binding: several buffers, of which every access of a kernel chooses one (banks.wgsl). */
import { DoesNotFit } from "../device/errors.js";
import type { DeviceInfo } from "../device/gpu.js";

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

function bankBlocks(blockBytes: number, maxBinding: number): number {
  return Math.floor(Math.min(maxBinding, MOST_BYTES) / blockBytes);
}

/** BANK_BLOCKS of banks.wgsl, and the bytes of each bank; one, of the table's size, where it fits a binding. */
export function banksOf({ bytes, blockBytes }: Extent, maxBinding: number) {
  const blocks = bankBlocks(blockBytes, maxBinding);
  const size = bytes <= Math.min(maxBinding, MOST_BYTES) ? bytes : blocks * blockBytes;
  const count = Math.ceil(bytes / size);
  return { blocks, sizes: Array.from({ length: count }, (_, i) => Math.min(size, bytes - i * size)) };
}

interface Device {
  readonly info: Pick<DeviceInfo, "limits">;
  readonly maxBinding: number;
}

/** Blocks of a table on a device, in as many banks as kernels may bind beside so many other storage buffers. */
export function mostBlocks({ info, maxBinding }: Device, blockBytes: number, others: number) {
  const banks = Math.max(1, mostBanks(info, others));
  return { banks, blocks: banks * bankBlocks(blockBytes, maxBinding) };
}

/** banksOf, on a device and for kernels that bind so many other storage buffers. Throws DoesNotFit. */
export function fittingBanks(device: Device, table: Extent, others: number) {
  const { bytes, blockBytes } = table;
  const most = mostBlocks(device, blockBytes, others);
  const banks = banksOf(table, device.maxBinding);
  if (banks.sizes.length > most.banks) throw tooLarge(bytes, most.blocks * blockBytes, most.banks);
  return banks;
}

/** Of so many bytes, where the device binds fewer. */
export function tooLarge(bytes: number, bound: number, buffers: number): DoesNotFit {
  return new DoesNotFit(`${bytes} bytes: the device binds ${bound}, in ${buffers} storage buffers`);
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
