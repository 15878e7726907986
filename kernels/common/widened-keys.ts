/** Tables whose keys have two words, for callers that have one: the harness. */
import { ofRecords } from "./of-records.js";
import { wideBytes } from "./record-bytes.js";
import { wideKeysWith } from "./wide-keys.js";

const SIZE = { keyBytes: 8, valueBytes: 4, shared: true };

export const widenedKeys = /* @__PURE__ */ wideKeysWith(
  (gpu, table) => ofRecords(gpu, table, SIZE),
  (n) => wideBytes(n, SIZE.keyBytes, SIZE.valueBytes),
);
