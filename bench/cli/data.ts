import type { Command } from "@commander-js/extra-typings";
import { EXPORT_FORMATS } from "../../datasets/export/formats.js";
import { exportDataset } from "../../datasets/export.js";
import { validateDataset } from "../../datasets/index.js";
import { UsageError } from "../../kernels/device/errors.js";
import { loadPlugins } from "../plugins/plugins.js";
import { PLUGIN } from "./options.js";
import { integer, list, number, oneOf, path } from "./parsers.js";

export function add(program: Command): void {
  program
    .command("data")
    .argument("<name>", "data set, as `hashbench list datasets` spells it")
    .option("-n, --n <rows>", "keys to generate", integer("--n", 1, 2 ** 32 - 2))
    .option("--sf <factor>", "TPC-H scale factor, for lineitem", number("--sf", 0, 10_000, true))
    .option("--seed <u32>", "seed", integer("--seed", 0, 2 ** 32 - 1), 1)
    .option("--columns <list>", "lineitem's columns, such as orderkey,partkey", list("--columns"))
    .option("--format <format>", `one of ${EXPORT_FORMATS.join(", ")}`, oneOf("--format", EXPORT_FORMATS))
    .option("-o, --out <file>", "file to write, whose ending says the format; - is standard output", path("--out"), "-")
    .option("--force", "replace the file if it exists")
    .option(...PLUGIN)
    .option("--json", "the summary as JSON on stderr")
    .addHelpText("after", "\nExample: hashbench data lineitem --sf 0.01 --columns orderkey,partkey")
    .action(async (name, flags) => {
      const { json, plugin, ...options } = flags;
      await loadPlugins(plugin);
      if (flags.n === undefined && flags.sf === undefined && !name.startsWith("file:")) {
        await validateDataset(name);
        throw new UsageError(`${name}: --n${name === "lineitem" ? " or --sf" : ""} is wanted, how much of it`);
      }
      const { rows, bytes, sha256, format } = await exportDataset({ name, ...options });
      const summary = { rows, bytes, sha256, format };
      console.error(json ? JSON.stringify(summary) : `${rows} rows, ${bytes} bytes, ${format}, sha256 ${sha256}`);
    });
}
