/** One colour and one shape for each table, in all figures. */
import { COLOR_COUNT } from "./style.js";

/** Places in the list of colours. A program has that of its port, which is drawn hollow; libraries as results/references call them. */
const LOOKS: Readonly<Record<string, number>> = {
  bucketed: 0,
  quotient: 1,
  cuckoo: 2,
  "cudpp-cuckoo": 2,
  CUDPP: 2,
  "slab-hash": 3,
  "slabhash-cuda": 3,
  SlabHash: 3,
  "double-hashing": 4,
  stash: 5,
  warpcore: 6,
  "warpcore-cuda": 6,
  WarpCore: 6,
  gph: 7,
  dycuckoo: 8,
  "dycuckoo-cuda": 8,
  DyCuckoo: 8,
  megakv: 9,
  "two-level": 10,
  "radix-sort": 11,
  clstash: 12,
  warpdrive: 13,
  "warpdrive-cuda": 13,
  "cuco-static-map": 14,
  cuCollections: 14,
  "stash-hybrid": 15,
  "bght-bcht": 10,
  BGHT: 10,
  "bght-p2bht": 12,
  libcuckoo: 15,
};

/** More series of one table do not share its colour. */
const SHARED = 3;

/**
 * Places of colour and shape for a figure's series, by the tables that they are of. Several of one table have its colour and shapes
 * of their own; where they are many, or all are of one table, colours that no table of the figure has.
 */
export function looksOf(tables: readonly string[]): number[] {
  const taken = new Set(tables.map((table) => LOOKS[table]));
  const free = Array.from({ length: COLOR_COUNT }, (_, i) => i).filter((i) => !taken.has(i));
  const alone = new Set(tables).size === 1;
  let next = 0;
  return tables.map((table, i) => {
    const look = LOOKS[table];
    const nth = tables.slice(0, i).filter((other) => other === table).length;
    const shares = !alone && tables.filter((other) => other === table).length <= SHARED;
    // Beyond the list of colours it begins again, with other shapes.
    if (look !== undefined && (nth === 0 || shares)) return look + nth * COLOR_COUNT;
    const [round, at] = [Math.floor(next / free.length), next % free.length];
    next++;
    return (free[at] ?? at) + round * COLOR_COUNT;
  });
}
