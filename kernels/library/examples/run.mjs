/**
 * Runs all applications in Node, or those that are named.
 *
 *     node kernels/library/examples/run.mjs [NAME …]
 */
import { applications } from "./applications.mjs";
import { openDevice } from "./device.mjs";

const names = process.argv.slice(2);
const device = await openDevice();
for (const name of names.length > 0 ? names : Object.keys(applications)) {
  if (!Object.hasOwn(applications, name))
    throw new Error(`no ${name}; there are ${Object.keys(applications).join(", ")}`);
  console.log(`${name}: ${await applications[name](device)}`);
}
process.exit();
