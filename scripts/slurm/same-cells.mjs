// Whether two results folders hold the same cells, with equal inputs (data_hash) and equal counters. Times differ, and what is
// derived from them. `node same-cells.mjs A B` ends with 1 and the differences where they do not.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const results = join(import.meta.dirname, "..", "..", "dist", "bench", "results");
const load = (name) => import(pathToFileURL(join(results, name)).href);
const { readResults } = await load("read.js");
const { rowKey, rowWords } = await load("key.js");
const { byClock } = await load("metrics.js");

/** What a row says that does not depend on time, by cell and metric. */
async function facts(folder) {
  const rows = await readResults(folder);
  return new Map(
    rows.map((row) => {
      const counted = !byClock(row.metric);
      const { status, reason, data_hash, unit } = row;
      const text = JSON.stringify({ status, reason, data_hash, unit, value: counted ? row.value : null });
      return [`${rowKey(row)} ${row.metric}`, { text, counted, name: `${rowWords(row)} ${row.metric}` }];
    }),
  );
}

const [a, b] = await Promise.all(process.argv.slice(2).map(facts));
const differing = [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key)?.text !== b.get(key)?.text);
for (const key of differing.slice(0, 10)) {
  const { name } = a.get(key) ?? b.get(key);
  console.log(`${name}: ${a.get(key)?.text ?? "no row"}, ${b.get(key)?.text ?? "no row"}`);
}
const counters = [...a.values()].filter(({ counted }) => counted).length;
console.log(`${a.size} rows, ${counters} of them counters, ${differing.length} differ`);
process.exitCode = differing.length > 0 || counters === 0 ? 1 : 0;
