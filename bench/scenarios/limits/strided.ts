/** The updates of cuckoo/fig4.7-strided, as data. */

export interface StridedUpdate {
  readonly id: string;
  readonly title: string;
  /** Bytes of an element of the array. */
  readonly elementBytes: 4 | 8;
  /** Memory accesses that the kernel issues an update: a read and a write, or one RMW. */
  readonly accesses: 1 | 2;
  /** Conditions and constants of strided.wgsl. */
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly constants: Readonly<Record<string, number>>;
}

function plain(elementBytes: 4 | 8): StridedUpdate {
  return {
    id: `update${elementBytes}`,
    title: `Read and write, ${elementBytes} B`,
    elementBytes,
    accesses: 2,
    conditions: { WORD: elementBytes === 4, PAIR: elementBytes === 8, RMW: false },
    constants: {},
  };
}

function atomic(id: string, title: string, access: number): StridedUpdate {
  return {
    id,
    title: `${title}, 4 B`,
    elementBytes: 4,
    accesses: 1,
    conditions: { WORD: false, PAIR: false, RMW: true },
    constants: { ACCESS: access },
  };
}

/** WGSL has no 64-bit RMW, so only the plain update is of 64 bits too. */
export const stridedUpdates: readonly StridedUpdate[] = [
  plain(4),
  plain(8),
  atomic("add", "atomicAdd", 0),
  atomic("exchange", "atomicExchange", 1),
  atomic("cas", "atomicCompareExchange", 2),
];
