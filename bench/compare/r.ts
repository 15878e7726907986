/** R's distributions, loaded when the first is asked for: a third of what a command would load, which few commands need. */
import { createRequire } from "node:module";

type Distributions = typeof import("lib-r-math.js");

const require = createRequire(import.meta.url);

export function distributions(): Distributions {
  return require("lib-r-math.js");
}
