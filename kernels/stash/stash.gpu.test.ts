import { describe, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import type { Scalar } from "../../bench/model.js";
import { cases } from "../../bench/verify/cases.js";
import type { TableType } from "../table.js";
import { stash } from "./stash.js";

const gpu = testGpu();

/** The table with other defaults. */
function preset(type: TableType, params: Readonly<Record<string, Scalar>>): TableType {
  return {
    ...type,
    create: (device, options) => type.create(device, { ...options, params: { ...params, ...options.params } }),
  };
}

const configurations: readonly Readonly<Record<string, Scalar>>[] = [
  { ticket: 1 },
  { ticket: 2 },
  { ticket: 4 },
  { ticket: 2, access: true },
  { ticket: 8, access: true },
  { keyBytes: 8, valueBytes: 8 },
  { keyBytes: 8 },
  { valueBytes: 8 },
  { keyBytes: 16, ticket: 1 },
  { valueBytes: 16 },
  { keyBytes: 32, ticket: 4 },
  { valueBytes: 32 },
  { keyBytes: 64 },
  { valueBytes: 64 },
  { keyBytes: 16, valueBytes: 64, access: true },
];

describe.each(configurations)("stash with %o", (params) => {
  const type = preset(stash, params);
  for (const { name, applies, check } of cases) if (applies(type) === "") test(name, () => check(gpu(), type));
});
