/** For tests of what was built: that it was built of the sources as they are. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./paths.js";

const NOT_BUILT = /\.test\.ts$|(^|\/)(testing|fake)\.ts$|\.d\.ts$/;
const CLIENT = "bench/page/client/";

/** Throws where a source is newer than what was built of it: old code would be tested without a word. */
export function requireBuilt(): void {
  const timeOf = (file: string) => statSync(join(packageRoot, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const folder of ["bench", "datasets", "kernels", "reports"])
    for (const name of readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${name}`;
      if (!file.endsWith(".ts") || NOT_BUILT.test(file)) continue;
      const built = file.startsWith(CLIENT) ? "page/main.js" : file.replace(/ts$/, "js");
      if (timeOf(`dist/${built}`) < timeOf(file)) throw new Error(`dist/ is older than ${file}: npm run build`);
    }
}
