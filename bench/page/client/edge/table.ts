/** In place of datasets/files/table.ts: a page reads no files of the user's. */
import { UsageError } from "../../../../kernels/device/errors.js";

export const openTable: typeof import("../../../../datasets/files/table.js").openTable = async () => {
  throw new UsageError("data sets in files are for the command line: a page cannot read them");
};
