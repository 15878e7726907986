/** Sizes of records that are made of words. */

/** Largest buffer of records made at a time. */
const CHUNK_BYTES = 2 ** 30;

/** Bytes that `ofRecords` needs for operations on n items, beside the table. */
export function wideBytes(n: number, keyBytes: number, valueBytes: number): number {
  if (keyBytes === 4 && valueBytes === 4) return 0;
  return Math.min(n, chunkOf(keyBytes, valueBytes)) * (keyBytes + valueBytes);
}

/** Records made at a time, at most. */
export function chunkOf(keyBytes: number, valueBytes: number): number {
  return Math.floor(CHUNK_BYTES / Math.max(keyBytes, valueBytes));
}
