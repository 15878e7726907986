/** Sizes of a Stadium table: slots, tickets, pairs. The mirror of common/records.wgsl, board.wgsl and table.wgsl. */

import { nextPrime } from "../common/steps.js";
import { UsageError } from "../device/errors.js";
import { SIZES, type StashParams } from "./parameters.js";

export interface Layout {
  /** A prime, at least pairs / load factor. */
  readonly slots: number;
  /** Bits a ticket. */
  readonly ticket: number;
  /** Tickets have an access bit, so that operations of all kinds may run at the same time. */
  readonly access: boolean;
  /** A ticket says whether an insertion has gone past its slot. */
  readonly passed: boolean;
  /** Retrievals ask the ticket-board first. */
  readonly board: boolean;
  readonly keyBytes: number;
  readonly valueBytes: number;
  /** Bytes from one pair to the next. */
  readonly stride: number;
  /** Bytes of the ticket-board. */
  readonly boardBytes: number;
}

/** Of a table with these parameters. */
export function layoutOf(n: number, loadFactor: number, params: StashParams): Layout {
  const { ticket, access, passed, board, keyBytes, valueBytes } = params;
  const slots = nextPrime(n / loadFactor);
  return {
    slots,
    ticket,
    access,
    passed,
    board,
    keyBytes,
    valueBytes,
    stride: strideOf(keyBytes, valueBytes),
    boardBytes: Math.ceil(slots / (32 / ticket)) * 4,
  };
}

/** Why tickets have no room for their bits; "" if they have. */
export function crowded({ ticket, access, passed }: StashParams): string {
  const bits = 1 + Number(access) + Number(passed);
  if (ticket >= bits) return "";
  return `ticket is ${ticket}; ${[access && "access", passed && "passed"].filter(Boolean).join(" and ")} needs ${bits} bits or more`;
}

/** Throws a UsageError that ends in `what` if retrievals do not ask the ticket-board. */
export function wantBoard({ board }: Layout, what: string): void {
  if (!board) throw new UsageError(`stash: without the ticket-board (board=false) ${what}`);
}

const roundUp = (bytes: number, to: number): number => Math.ceil(bytes / to) * to;

/** WGSL aligns vectors of 8 and 16 bytes to their size, and arrays of the latter to 16. */
const alignment = (bytes: number): number => Math.min(16, bytes);

/** Offset of the value in struct { key, value }, bytes. */
function valueAt(keyBytes: number, valueBytes: number): number {
  return roundUp(keyBytes, alignment(valueBytes));
}

function strideOf(keyBytes: number, valueBytes: number): number {
  return roundUp(valueAt(keyBytes, valueBytes) + valueBytes, Math.max(alignment(keyBytes), alignment(valueBytes)));
}

/** Bytes of table and ticket-board. */
export function bytesOf({ slots, stride, boardBytes }: Layout): number {
  return slots * stride + boardBytes;
}

/** WESL conditions of the kernels. */
export function conditionsOf({ keyBytes, valueBytes, access, passed, board }: Layout): Record<string, boolean> {
  return {
    ...Object.fromEntries(
      SIZES.flatMap((size) => [
        [`KEY_${size}`, size === keyBytes],
        [`VALUE_${size}`, size === valueBytes],
      ]),
    ),
    RECORD: true,
    VECTOR: keyBytes === valueBytes && keyBytes <= 8,
    NARROW: keyBytes === 4 && valueBytes === 4,
    ACCESS: access,
    PASSED: passed,
    BOARD: board,
  };
}

/** Override constants of the kernels. */
export function constantsOf({ ticket, keyBytes, valueBytes, stride }: Layout): Record<string, number> {
  return {
    TICKET: ticket,
    VALUE_AT: valueAt(keyBytes, valueBytes) / 4,
    STRIDE_WORDS: stride / 4,
    KEY_SECTORS: Math.ceil(keyBytes / 32),
    PAIR_SECTORS: Math.ceil(stride / 32),
  };
}
