/** The plug-ins that the page is served with, as `--plugin` loads them: the page and each of its workers have them. */
import { UsageError } from "../../../kernels/device/errors.js";
import { messageOf } from "../../base/errors.js";
import { addKernels } from "../../device/link.js";
import { exportsOf, type Plugin, register } from "../../plugins/plugin.js";
import { kernelsFile } from "../plugin-files.js";
import { publishedIndex } from "./published.js";

/** @param measuring that alone which measures cells. Throws a UsageError of one line for one that cannot be loaded. */
export async function loadPlugins(measuring: boolean): Promise<void> {
  const { plugins = [] } = await publishedIndex();
  for (const path of plugins) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    addKernels((await (await fetch(kernelsFile(folder))).json()) as Record<string, string>);
    const address = new URL(path, location.href).href;
    const module = await import(address).catch((error: unknown) => {
      throw new UsageError(`${path}: cannot be loaded: ${messageOf(error)}`);
    });
    await register(await exportsOf(module as Plugin, folder, measuring), path, { folder });
  }
}
