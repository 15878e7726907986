import type { Command } from "@commander-js/extra-typings";
import { Argument } from "commander";
import { takes } from "../../kernels/parameters.js";
import type { TableParameter } from "../../kernels/table.js";
import { whole } from "../base/format.js";
import { figureName } from "../claims/papers.js";
import { keptVerified, type VerifiedTable, verifiedOf } from "../results/verified.js";
import { NATIVE, PLUGIN } from "./options.js";

const KINDS = ["experiments", "tables", "datasets", "devices"] as const;
type Kind = (typeof KINDS)[number];

export function addList(program: Command): void {
  program
    .command("list")
    .addArgument(new Argument("[kind]", "what to list").choices(KINDS))
    .option(...PLUGIN)
    .option(...NATIVE)
    .option("--json", "JSON on stdout")
    .addHelpText("after", "\nExample: hashbench list tables")
    .action(async (given, { plugin, native, json }) => {
      const kind = given as Kind | undefined;
      if (plugin.length + native.length > 0) await (await import("../run/tables.js")).loadTables({ plugin, native });
      const kinds = kind ? [kind] : KINDS;
      const found: Record<string, Row[]> = {};
      for (const one of kinds) found[one] = await rowsOf(one);
      if (json) return console.log(JSON.stringify(kind ? found[kind] : found, null, 1));
      for (const one of kinds) {
        if (!kind) console.log(`${one[0]?.toUpperCase()}${one.slice(1)}`);
        print(found[one] ?? [], kind ? "" : "  ");
      }
    });
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  /** Of a table. */
  readonly parameters?: readonly TableParameter[];
  /** Of a table, by device: what the results that come with the package say was verified. */
  readonly verified?: readonly (VerifiedTable & { readonly device: string })[];
}

/** Loads what is listed, and no more. */
async function rowsOf(kind: Kind): Promise<Row[]> {
  switch (kind) {
    case "experiments":
      return (await import("../experiments/index.js")).experiments.map((one) => ({
        id: one.id,
        title: `${one.title}. ${one.setting}`,
        source: one.from ? `from the rows of ${one.from.join(", ")}` : figureName(one),
      }));
    case "tables": {
      const { allTables } = await import("../../kernels/index.js");
      const { allSeries } = await import("../scenarios/index.js");
      return [
        ...allTables().map(({ id, title, source, ops, answers, parameters }) => ({
          id,
          parameters,
          verified: verifiedOn(id),
          title: `${title}: ${ops.join(", ")}${answers ? `; keys may repeat, answers are ${answers}s` : ""}`,
          source,
        })),
        ...allSeries()
          .filter(({ measures }) => measures === "CPU table")
          .map(({ id, title, measures }) => ({ id, title, source: measures })),
      ];
    }
    case "datasets":
      return (await import("../../datasets/index.js")).datasetList.map(({ pattern, description, source }) => ({
        id: pattern,
        title: description,
        source,
      }));
    case "devices":
      return (await (await import("../device/adapter/adapter.js")).listAdapters()).map(
        ({ name, kind, source, details }) => ({
          id: name,
          title: `${kind}, ${details.driver || details.vendor}`,
          source,
        }),
      );
  }
}

function verifiedOn(table: string) {
  return keptVerified()
    .map((one) => ({ device: one.device, ...verifiedOf(one, table) }))
    .filter(({ variants, failed }) => variants + failed > 0);
}

function verifiedLine({
  device,
  variants,
  failed,
  operations,
  values,
  commits,
}: VerifiedTable & { device: string }): string {
  const bad = failed > 0 ? `, ${failed} with a failed case` : "";
  const of = `${variants} ${variants === 1 ? "variant" : "variants"}${bad}`;
  return `verified on ${device}: ${of}, ${whole(operations)} operations (${commits.join(", ")}): ${values}`;
}

function print(rows: readonly Row[], indent: string): void {
  const width = Math.max(0, ...rows.map(({ id }) => id.length));
  for (const { id, title, source, parameters = [], verified = [] } of rows) {
    console.log(`${indent}${id.padEnd(width)}  ${title}${source ? ` [${source}]` : ""}`);
    for (const one of parameters)
      console.log(
        `${indent}${" ".repeat(width)}    --param ${one.name}=${one.default}: ${one.meaning} (${takes(one)})`,
      );
    for (const one of verified) console.log(`${indent}${" ".repeat(width)}    ${verifiedLine(one)}`);
  }
  if (rows.length === 0) console.log(`${indent}none`);
}
