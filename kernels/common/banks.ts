/** Tables beyond the largest binding: several buffers, of which every access of a kernel chooses one (banks.wgsl). */
import { BINDING_LIMITS, DoesNotFit } from "../device/errors.js";
import type { Capabilities } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";

/** That kernels choose from (each-bank.ts). */
export const MAX_BANKS = 15;
/** Of every WebGPU device. */
const LEAST_BUFFERS = 8;
/** Bytes of a bank, whose words have numbers of 30 bits (banks.wgsl). */
const MOST_BYTES = 2 ** 32;
const NO_SLOT = 2 ** 32 - 1;

/** Banks that a kernel may bind beside so many other storage buffers. */
export function mostBanks({ limits }: Pick<Capabilities, "limits">, others: number): number {
  return Math.min(MAX_BANKS, (limits.maxStorageBuffersPerShaderStage ?? LEAST_BUFFERS) - others);
}

/** Conditions of words.wgsl and parts.wgsl for a table in so many banks. */
export function bankConditions(count: number): Record<string, boolean> {
  const more = Array.from({ length: MAX_BANKS - 2 }, (_, i) => [`BANK_${i + 3}`, count >= i + 3]);
  return { BANKED: count > 1, ...Object.fromEntries(more) };
}

/** Of a bank by its number, where the last one has the number `last`. */
export function bankName(number: number, last: number): string {
  return number === last ? "last_bank" : `bank${number}`;
}

/** The buffers of a table by their names there. */
export function namedBanks(banks: readonly GPUBuffer[]): Record<string, GPUBuffer> {
  const last = banks.length - 1;
  if (last === 0) return Object.fromEntries(banks.map((table) => ["table", table]));
  return Object.fromEntries(banks.map((bank, i) => [bankName(i, last), bank]));
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
  readonly info: Pick<Capabilities, "limits">;
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
  if (most.blocks === 0 && bytes > device.maxBinding) throw tooLarge(bytes, device.maxBinding, 1);
  const banks = banksOf(table, device.maxBinding);
  if (banks.sizes.length > most.banks) throw tooLarge(bytes, most.blocks * blockBytes, most.banks);
  return banks;
}

/** Of so many bytes, where the device binds fewer. */
export function tooLarge(bytes: number, bound: number, buffers: number): DoesNotFit {
  return new DoesNotFit(`${bytes} bytes: the device binds ${bound}, in ${buffers} storage buffers: ${BINDING_LIMITS}`);
}

/** Throws DoesNotFit if slots have no numbers. */
export function checkSlots(slots: number): void {
  if (slots >= NO_SLOT) throw new DoesNotFit(`${slots} slots, of which 32 bits number ${NO_SLOT - 1} at most`);
}

/** A table's buffers, what kernels bind of them, and how these are made. Throws DoesNotFit. */
export async function allocBanks(gpu: Owner, table: string, { blocks, sizes }: ReturnType<typeof banksOf>) {
  const buffers: GPUBuffer[] = [];
  for (const [i, bytes] of sizes.entries()) buffers.push(await gpu.alloc(`bank ${i} of ${table}`, bytes));
  return {
    buffers,
    bound: namedBanks(buffers),
    conditions: bankConditions(buffers.length),
    constants: buffers.length > 1 ? { BANK_BLOCKS: blocks } : {},
  };
}
