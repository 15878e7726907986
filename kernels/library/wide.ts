/** The parameter `keyBytes`: where the kernels and the code of keys of two words are. */

import type { WideKeys } from "../common/wide-keys.js";
import { UsageError } from "../device/errors.js";
import type { Apart } from "./table.js";
import type { Kernels } from "./types.js";

export const wideApart: Apart = ({ keyBytes }) => (keyBytes === 8 ? "wide" : undefined);
export const windowsApart: Apart = ({ keyBytes }) => (keyBytes === 8 ? "windows" : undefined);

/** By the code that came with the kernels. Throws a UsageError where they are others, once a table is made. */
export const wideOf = ({ wideKeys }: Kernels): WideKeys =>
  wideKeys ??
  ((of) =>
    of(() => {
      throw new UsageError("the option kernels has no keys of two words");
    }));
