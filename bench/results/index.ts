/**
 * Rows of results, read and validated: the columns are described in results/README.md.
 *
 * @packageDocumentation
 */
export { newestRuns } from "./newest.js";
export { readResults } from "./read.js";
export type { ResultRow, Status } from "./record.js";
