/** The updates of cuckoo/fig4.7-strided, as data. */

export interface StridedUpdate {
  readonly id: string;
  readonly title: string;
  /** Bytes of an element of the array. */
  readonly elementBytes: 4 | 8;
  /** ACCESS of strided.wgsl, of an RMW. Left out: a read and a write. */
  readonly access?: number;
}

/** WGSL has no 64-bit RMW, so only the plain update is of 64 bits too. */
export const stridedUpdates: readonly StridedUpdate[] = [
  { id: "update4", title: "Read and write, 4 B", elementBytes: 4 },
  { id: "update8", title: "Read and write, 8 B", elementBytes: 8 },
  { id: "add", title: "atomicAdd, 4 B", elementBytes: 4, access: 0 },
  { id: "exchange", title: "atomicExchange, 4 B", elementBytes: 4, access: 1 },
  { id: "cas", title: "atomicCompareExchange, 4 B", elementBytes: 4, access: 2 },
];
