import type { Command } from "@commander-js/extra-typings";
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import { takes } from "../../kernels/parameters.js";
import type { TableParameter } from "../../kernels/table.js";
import { hanging, printText, table } from "../base/document.js";
import { whole } from "../base/format.js";
import { figureName } from "../claims/papers.js";
import { adapterName } from "../results/device-name.js";
import { type ExploredTable, exploredLine, keptExplored } from "../results/explored.js";
import { keptVerified, type VerifiedTable, verifiedOf } from "../results/verified.js";
import { JSON_FLAG, NATIVE, PLUGIN } from "./options.js";
import { fitted } from "./status-line.js";

const KINDS = ["experiments", "tables", "datasets", "devices"] as const;
type Kind = (typeof KINDS)[number];

export function add(program: Command): void {
  program
    .command("list")
    .argument("[names...]", `${KINDS.join(", ")} (default: all); or names of which to show the details`)
    .option(...PLUGIN)
    .option(...NATIVE)
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExamples: hashbench list tables\n          hashbench list cuckoo gph/fig10")
    .action(async (given, { plugin, native, json }) => {
      if (plugin.length + native.length > 0) await (await import("../run/tables.js")).loadTables({ plugin, native });
      const [first] = given;
      const kind = KINDS.find((one) => one === first);
      const names = kind ? given.slice(1) : given;
      const kinds = kind ? [kind] : KINDS;
      const found: Record<string, readonly Row[]> = {};
      // Devices have names of their own, and drivers take a while.
      for (const one of names.length > 0 && !kind ? KINDS.slice(0, -1) : kinds) found[one] = await rowsOf(one);
      if (names.length > 0) return showDetails(chosen(names, Object.values(found).flat()), json === true);
      if (json) return console.log(JSON.stringify(kind ? found[kind] : found, null, 1));
      for (const one of kinds) print(one, found[one] ?? []);
      if (!kind || kind !== "devices") console.log("Details of one: hashbench list NAME");
    });
}

interface Row {
  readonly id: string;
  readonly title: string;
  /** What more there is to say. */
  readonly about?: string;
  readonly source: string;
  /** Of a table. */
  readonly parameters?: readonly TableParameter[];
  /** Of a table, by device: what the results that come with the package say was verified. */
  readonly verified?: readonly (VerifiedTable & { readonly device: string })[];
  /** Of a table, likewise: what was explored. */
  readonly explored?: readonly ExploredTable[];
}

/** Loads what is listed, and no more. */
async function rowsOf(kind: Kind): Promise<Row[]> {
  switch (kind) {
    case "experiments": {
      const { byName, experiments } = await import("../experiments/index.js");
      return experiments.map((one) => ({
        id: one.id,
        title: byName.has(one.id) ? `${one.title} (by name only, not in all)` : one.title,
        about: one.setting,
        source: one.from ? `from the rows of ${one.from.join(", ")}` : figureName(one),
      }));
    }
    case "tables": {
      const { allTables } = await import("../../kernels/index.js");
      const { allSeries } = await import("../scenarios/index.js");
      return [
        ...allTables().map(({ id, title, source, ops, answers, parameters }) => ({
          id,
          title,
          about: `${ops.join(", ")}${answers ? `; keys may repeat, answers are ${answers}s` : ""}`,
          parameters,
          verified: verifiedOn(id),
          explored: keptExplored().filter(({ table }) => table === id),
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
        ({ name, kind, source, driver, vendor }) => ({
          id: name,
          title: `${kind}, ${driver || vendor}`,
          source,
        }),
      );
  }
}

/** Those of the names, or whose ids begin with one as a folder. */
function chosen(names: readonly string[], rows: readonly Row[]): Row[] {
  return names.flatMap((name) => {
    const found = rows.filter(({ id }) => id === name || id.startsWith(`${name.replace(/\/$/, "")}/`));
    if (found.length > 0) return found;
    const near = didYouMean(name, [...KINDS, ...rows.map(({ id }) => id)], "; ");
    throw new UsageError(`list ${name}: nothing has this name${near} (${KINDS.join(", ")}, or a name of one)`);
  });
}

function verifiedOn(id: string) {
  return keptVerified()
    .map((one) => ({ device: one.device, ...verifiedOf(one, id) }))
    .filter(({ variants, failed }) => variants + failed > 0);
}

function verifiedLine(one: VerifiedTable & { device: string }): string {
  const { device, variants, failed, operations, values, commits } = one;
  const bad = failed > 0 ? `, ${failed} with a failed case` : "";
  const of = `${variants} ${variants === 1 ? "variant" : "variants"}${bad}`;
  return `verified on ${adapterName(device)}: ${of}, ${whole(operations)} operations (${commits.join(", ")}): ${values}`;
}

const terminalWidth = (): number => process.stdout.columns || 80;

function print(kind: Kind, rows: readonly Row[]): void {
  const lines = rows.map(({ id, title }) => [id, title]);
  console.log(rows.length > 0 ? printText([table([kind, "title"], lines)], terminalWidth()) : `${kind}: none\n`);
}

function showDetails(rows: readonly Row[], json: boolean): void {
  if (json) {
    console.log(JSON.stringify(rows, null, 1));
    return;
  }
  for (const { id, title, about, source, parameters = [], verified = [], explored = [] } of rows) {
    console.log(fitted(`${id}: ${title}`, process.stdout));
    const details = [
      about ?? "",
      source && `source: ${source}`,
      ...parameters.map((one) => `--param ${one.name}=${one.default}: ${one.meaning} (${takes(one)})`),
      ...verified.map(verifiedLine),
      ...explored.map(exploredLine),
    ];
    for (const detail of details.filter(Boolean)) console.log(hanging(`  ${detail}`, terminalWidth()));
  }
}
