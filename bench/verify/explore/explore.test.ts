import { expect, test } from "vitest";
import { ownTables } from "../../../kernels/index.js";
import { addPackageKernels } from "../../device/sources.js";
import type { Kind } from "./cases.js";
import { Explorer } from "./explore.js";

addPackageKernels();
const only = process.env.TABLE;
const types = ownTables.filter(({ answers, id }) => (!answers || answers === "member") && (!only || id === only));
const pairs: Kind[][] = [["insert", "insert"], ["erase", "erase"], ["insert", "find"], ["insert", "erase"], ["find", "erase"]];
test.each(types.map((type) => [type.id, type] as const))("%s", async (id, type) => {
  const explorer = new Explorer(type, { preemptions: Number(process.env.PRE ?? "Infinity"), failures: 1, old: 2, relaxed: process.env.RELAXED === "1", budget: Number(process.env.BUDGET ?? 2000) });
  for (const kinds of pairs) for (const one of await explorer.cases(kinds)) { { const apart = one.apart;
    const begin = performance.now();
    try {
    const { failure, ...rest } = await explorer.explore(one);
    console.log(id, one.name, apart, JSON.stringify(rest), `${((performance.now() - begin) / 1000).toFixed(2)} s`, failure?.why ?? "");
    if (failure) console.log(failure.trace.map((a) => `${a.lane} ${a.place} ${a.operation} ${a.word} ${a.old} ${a.next}`).join("\n"));
    } catch (e) { console.log(id, one.name, apart, String((e as Error).stack).slice(0, 400)); }
    }
  }
  expect(true).toBe(true);
}, 600_000);
